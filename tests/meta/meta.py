"""Kinds of things that one new file adds to: proves it, and writes their table in CONTRIBUTING.md.

    meta.py table                        the table is up to date (exit code 1 where it is not)
    meta.py table --write                writes it
    meta.py prove BUILD DEPS [OPTION..]  copies the tree to BUILD/meta, adds a template of every kind,
                                         configures it with these options of CMake, builds the
                                         executable and looks for each kind where kinds.json says that
                                         it is listed; DEPS is what scripts/setup.sh brought

A template is the smallest thing of its kind: a file of templates/, named in kinds.json with the place
it is copied to; or, for kinds that are rows of a table, a file of rows with the file that they come
into ("rows": the file, and the line that they come before). Those places are all that differs from
the tree, before and after the build.

Kinds that the whole tree is compiled against ("apart") come into a second copy, of which only their
targets are built.

The copy is configured into a folder of the same depth as BUILD, with a link to the same third
parties, so ccache finds what BUILD has compiled.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KINDS = json.loads((HERE / "kinds.json").read_text())
BEGIN = "| kind | file | defines | derived |\n|---|---|---|---|\n"


def table_text():
    rows = ("| {kind} | {file} | {defines} | {derived} |\n".format(**kind) for kind in KINDS)
    return BEGIN + "".join(rows)


def table(write):
    path = ROOT / "CONTRIBUTING.md"
    text = path.read_text()
    found = re.search(re.escape(BEGIN) + r"(\|.*\n)*", text)
    if not found:
        sys.exit("CONTRIBUTING.md has no table of kinds.")
    if found.group() == table_text():
        return
    if not write:
        sys.exit("The table in CONTRIBUTING.md is not that of tests/meta/kinds.json: "
                 "run `python3 tests/meta/meta.py table --write`.")
    path.write_text(text[:found.start()] + table_text() + text[found.end():])


def files_of_the_tree():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                            capture_output=True, text=True)
    if listed.returncode != 0:  # a release without history
        return set(contents(ROOT))
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


def contents(tree):
    """A checksum of every file below `tree`, by its path there, without what is built or brought."""
    found = {}
    for folder, folders, files in os.walk(tree):
        if folder == str(tree):
            folders[:] = [name for name in folders if name not in ("build", ".deps", ".git")]
        paths = (pathlib.Path(folder) / name for name in files)
        found |= {str(path.relative_to(tree)): hashlib.sha256(path.read_bytes()).digest()
                  for path in paths if path.is_file()}
    return found


def copy(source, target):
    """Only where it differs, so that a second run builds little."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.is_file() or target.read_bytes() != source.read_bytes():
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def with_rows(path, before, rows):
    """The text of a table with the rows in front of a line of it, which is there once."""
    text = path.read_text()
    assert text.count(before) == 1, "%s has no single %r" % (path, before)
    return text.replace(before, (HERE / "templates" / rows).read_text() + before)


def extended_tables(kinds, folder):
    """Copies in `folder` of the tables that gain rows, by their paths in the tree."""
    found = {}
    for kind in kinds:
        for rows, place in kind.get("rows", {}).items():
            path = folder / place["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(with_rows(found.get(place["file"], ROOT / place["file"]), place["before"], rows))
            found[place["file"]] = path
    return found


def scratch_tree(kinds, tree, deps, folder):
    """The tree with a template of every kind."""
    wanted = {name: ROOT / name for name in files_of_the_tree()} | extended_tables(kinds, folder)
    new = {place: HERE / "templates" / name
           for kind in kinds for name, place in kind.get("templates", {}).items()}
    taken = sorted(set(wanted) & set(new))
    assert not taken, "templates take the place of files: %s" % taken
    for name, source in (wanted | new).items():
        copy(source, tree / name)
    for name in set(contents(tree)) - set(wanted) - set(new):
        (tree / name).unlink()
    if not (tree / ".deps").exists():
        (tree / ".deps").symlink_to(deps)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        print(done.stdout[-8000:], done.stderr[-8000:])
        sys.exit("failed: %s" % " ".join(str(part) for part in command))


def squeezed(text):
    """Help is broken into lines where the terminal ends."""
    return " ".join(text.split())


class Built:
    """The output of a build folder's programs, which run in a separate folder."""

    def __init__(self, build, work):
        self.build, self.work, self.outputs = build, work, {}

    def run(self, program, arguments):
        command = (program, *arguments)
        if command not in self.outputs:
            words = (word.format(templates=HERE / "templates", tree=ROOT) for word in arguments)
            done = run(self.build / program, *words, cwd=self.work)
            self.outputs[command] = squeezed(done.stdout + done.stderr)
        return self.outputs[command]

    def text(self, where):
        if "generated" in where:
            return (self.build / "generated" / where["generated"]).read_text()
        if "test" in where:
            return run("ctest", "-N", "--test-dir", self.build).stdout
        if "program" in where:
            return self.run(where["program"], where["arguments"])
        return self.run("bin/polygraphy", where["run"])

    def lacks(self, kind):
        for where in kind["listed"]:
            shown = where.get("shows", where.get("test"))
            text = self.text(where)
            if shown not in text:
                yield "%s: '%s' is not shown by %s:\n%s" % (
                    kind["kind"], shown, json.dumps(where), text[-2000:])


def prove_kinds(kinds, tree, build, deps, options, targets):
    """Problems of these kinds, in a copy of the tree."""
    scratch = tree / "build" / build.name
    with tempfile.TemporaryDirectory() as folder:
        scratch_tree(kinds, tree, deps, pathlib.Path(folder))
    before = contents(tree)
    must("cmake", "-S", tree, "-B", scratch, "-G", "Ninja", *options)
    targets = targets + [target for kind in kinds for target in kind.get("targets", [])]
    must("cmake", "--build", scratch, "--target", *targets)
    with tempfile.TemporaryDirectory() as work:
        built = Built(scratch, work)
        problems = [problem for kind in kinds for problem in built.lacks(kind)]
    after = contents(tree)
    return problems + ["changed by the build: " + name for name in sorted(before | after)
                       if before.get(name) != after.get(name)]


def prove(build, deps, options):
    together = [kind for kind in KINDS if "apart" not in kind]
    apart = [kind for kind in KINDS if "apart" in kind]
    problems = prove_kinds(together, build / "meta", build, deps, options, ["polygraphy"])
    problems += prove_kinds(apart, build / "meta_apart", build, deps, options, [])
    if problems:
        sys.exit("\n".join(problems))
    places = [place for kind in KINDS for place in kind.get("templates", {}).values()]
    tables = [place for kind in KINDS for place in kind.get("rows", {}).values()]
    print("%d kinds: %d new files, rows in %d tables, nothing else edited" % (len(KINDS), len(places), len(tables)))


def main(arguments):
    if arguments[:1] == ["table"]:
        table(write="--write" in arguments)
    elif len(arguments) > 2 and arguments[0] == "prove":
        prove(pathlib.Path(arguments[1]).resolve(), pathlib.Path(arguments[2]).resolve(), arguments[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
