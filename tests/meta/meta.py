"""Kinds of things that one new file adds to: proves it, and writes their table in CONTRIBUTING.md.

    meta.py table                        the table is up to date (exit code 1 where it is not)
    meta.py table --write                writes it
    meta.py prove BUILD [CMAKE_OPTION..] copies the tree to BUILD/meta/tree, adds a template of every
                                         kind, configures, builds the executable and looks for each
                                         where kinds.json says that it is listed

A template is the smallest thing of its kind: a file of templates/, named in kinds.json with the place
it is copied to. Those places are all that differs from the tree.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

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
        return {str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                if path.is_file() and path.relative_to(ROOT).parts[0] not in ("build", ".deps")}
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


def copy(source, target):
    """Only where it differs, so that a second run builds little."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.is_file() or target.read_bytes() != source.read_bytes():
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def scratch_tree(tree):
    """The tree with a template of every kind. Returns the files that are new."""
    wanted = {name: ROOT / name for name in files_of_the_tree()}
    new = {place: HERE / "templates" / name
           for kind in KINDS for name, place in kind["templates"].items()}
    taken = sorted(set(wanted) & set(new))
    assert not taken, "templates take the place of files: %s" % taken
    for name, source in (wanted | new).items():
        copy(source, tree / name)
    for path in [path for path in tree.rglob("*") if path.is_file()]:
        if str(path.relative_to(tree)) not in wanted and str(path.relative_to(tree)) not in new:
            path.unlink()
    return set(new), set(wanted)


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
    def __init__(self, build):
        self.build, self.outputs = build, {}

    def text(self, where):
        if "generated" in where:
            return (self.build / "generated" / where["generated"]).read_text()
        if "test" in where:
            return run("ctest", "-N", "--test-dir", self.build).stdout
        command = tuple(where["run"])
        if command not in self.outputs:
            done = run(self.build / "bin" / "polygraphy", *command)
            self.outputs[command] = squeezed(done.stdout + done.stderr)
        return self.outputs[command]

    def lacks(self, kind):
        for where in kind["listed"]:
            shown = where.get("shows", where.get("test"))
            if shown not in self.text(where):
                yield "%s: '%s' is not shown by %s" % (
                    kind["kind"], shown, " ".join(where.get("run", ["cmake"])))


def prove(build, options):
    tree, scratch = build / "meta" / "tree", build / "meta" / "build"
    new, old = scratch_tree(tree)
    must("cmake", "-S", tree, "-B", scratch, "-G", "Ninja", *options)
    targets = [target for kind in KINDS for target in kind.get("targets", [])]
    must("cmake", "--build", scratch, "--target", "polygraphy", *targets)
    problems = [problem for kind in KINDS for problem in Built(scratch).lacks(kind)]
    changed = [name for name in sorted(old) if (tree / name).read_bytes() != (ROOT / name).read_bytes()]
    problems += ["edited: " + name for name in changed]
    there = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    problems += ["not promised: " + name for name in sorted(there - old - new)]
    if problems:
        sys.exit("\n".join(problems))
    print("%d kinds, %d new files, none edited" % (len(KINDS), len(new)))


def main(arguments):
    if arguments[:1] == ["table"]:
        table(write="--write" in arguments)
    elif len(arguments) > 1 and arguments[0] == "prove":
        prove(pathlib.Path(arguments[1]).resolve(), arguments[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
