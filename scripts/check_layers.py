#!/usr/bin/env python3
"""check_layers.py LAYERS.JSON: the includes of the tree obey the arrows between its libraries.

LAYERS.JSON is written by CMake from the pg_library() calls. Further rules, the same for all:
the wings of the debugging library (WINGS) use only wings before them, and each is a folder of libraries;
a library's source includes its own header first; back ends see the sdk header, backends/common, their own
folder and their engine; the extension for Python has rooms, each of which sees those below it; only tools include cli; the onnx library and protobuf stay inside graphsurgeon/onnx, and
a header that includes them, or one that does, is for the sources of that library only (nor is it installed).
Only base/os and tests include headers of the operating system, and what MAY_ASK_THE_SYSTEM lists.
Headers for programs lie under include/, in the folder that their library has under src/, and include no
others. A source has a header of its name in its folder, except in the folders of kinds; file names of headers, and names of
types that headers define, are unique within a namespace: two types of one name in one program are undefined
behaviour, which no compiler sees.
"""

import functools
import json
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)
DEFINED_TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.M)
SDK_HEADERS = {p.relative_to("sdk/include").as_posix()
               for suffix in ("*.h", "*.inc") for p in pathlib.Path("sdk/include").rglob(suffix)}
# Third-party headers for only one library, as prefixes of include paths.
PRIVATE_THIRD_PARTIES = {"onnx/": "pg_onnx", "google/protobuf/": "pg_onnx"}
# The wings of the debugging library, lowest first.
WINGS = ("data", "models", "runtimes", "comparison", "model_tools", "diagnosis", "facade")
# Of the operating system and its C library.
SYSTEM_HEADER = re.compile(
    r"(?:arpa|asm|linux|net|netinet|sys)/"
    r"|c?signal(?:\.h)?$|(?:aio|dirent|dlfcn|elf|err|error|execinfo|fcntl|fnmatch|ftw|getopt|glob|grp|ifaddrs|libgen|link"
    r"|malloc|mntent|mqueue|netdb|poll|pthread|pty|pwd|regex|sched|semaphore|spawn|strings|sysexits|syslog|termios"
    r"|ucontext|unistd|utime|utmp|wait|wordexp)\.h$")
# Standard headers declare some of its functions, too, which we call by their whole names.
SYSTEM_CALL = re.compile(r"(?<![\w>:])::(?:[a-z_]\w*\(|environ\b)")
# The files and folders, besides tests, that may include them, each with its reason.
MAY_ASK_THE_SYSTEM = {
    "src/base/os/": "the room that knows the system",
    "src/base/thread_pool.cpp": "the number of processors; src/base lies below base/os",
    "tools/polygraphy/program.cpp": "signal handlers, the allocator's limits and the standard descriptors of the program",
    "backends/common/": "plugins see the sdk only, so they have a room that knows the system, too",
    "backends/onnxrt/library.cpp": "symbols of the vendor's library",
    "backends/onnxrt/providers.cpp": "symbols of the vendor's library",
    "backends/onnxrt/session.cpp": "the number of processors",
    "backends/tensorflow/library.cpp": "captures what the vendor's library prints",
    "backends/tensorrt/api/option_text.cpp": "patterns with the meaning of fnmatch()",
    "backends/tensorrt/api/plugins.cpp": "libraries with plugins of the user",
    "backends/tensorrt/api/running/plan.cpp": "whether a file is there",
    "backends/tensorrt/driver.cpp": "the driver's library",
    "backends/tensorrt/library.cpp": "the vendor's further libraries",
}
# Headers for programs, and everything else.
ROOTS = ("include", "src")

problems = []


def includes(path):
    return [(kind, name) for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8"))]


# Rows of options of backends/, which public headers read (cmake/polygraphy.cmake: pg_backends).
OPTION_ROWS = re.compile("polygraphy/options/")


def ours(name):
    """The file under include/ or src/ (or generated from one there) that an include names, or None."""
    for root in ROOTS:
        path = pathlib.Path(root) / name
        if path.exists() or path.with_name(path.name + ".in").exists():
            return path
    return None


def files():
    return (path for root in ROOTS for path in sorted(pathlib.Path(root).rglob("*")))


def folder_of(path):
    """The library folder of a file: shared files of tests lie in a folder testdata/ of theirs, and headers for
    programs in the same folder under include/."""
    folder = path.parent.parent if path.parent.name == "testdata" else path.parent
    return pathlib.Path("src", *folder.parts[1:]).as_posix()


def header_of(source):
    """The header of a source's name: in its folder, or in the same folder under include/; or None."""
    return ours(source.relative_to("src").with_suffix(".h").as_posix())


@functools.cache
def sees_third_party(path):
    """Whether a header under src/ includes one of PRIVATE_THIRD_PARTIES, by itself or by way of others."""
    if not path.exists():
        return False
    return any(name.startswith(tuple(PRIVATE_THIRD_PARTIES)) or (ours(name) and sees_third_party(ours(name)))
               for _, name in includes(path))


def closure(layers, name):
    seen, todo = set(), [name]
    while todo:
        layer = todo.pop()
        if layer in seen or layer not in layers:
            continue
        seen.add(layer)
        todo += layers[layer]["uses"]
    return seen


def check_library_file(path, layer, layers, layer_of):
    allowed = closure(layers, layer)
    allowed_in_tests = set().union(*(closure(layers, other) for other in layers[layer]["tests_use"]))
    stem = re.sub(r"_(test|bench|fuzz)$", "", path.stem)
    found = includes(path)
    if path.suffix == ".cpp" and path.stem == stem and header_of(path):
        own = path.with_suffix(".h").relative_to("src").as_posix()
        if not found or found[0][1] != own:
            problems.append(f'{path}: does not include "{own}" first')
    for kind, name in found:
        for prefix, owner in PRIVATE_THIRD_PARTIES.items():
            if name.startswith(prefix) and layer != owner:
                problems.append(f"{path}: <{name}> belongs into the sources of {owner}")
        target = ours(name)
        if target is None:
            is_rows = OPTION_ROWS.match(name) and pathlib.Path("backends", OPTION_ROWS.sub("", name)).exists()
            if kind == '"' and name not in SDK_HEADERS and not is_rows:
                problems.append(f'{path}: "{name}" is not found under include/, src/ or sdk/include/')
            continue
        if path.parts[0] == "include" and target.parts[0] != "include":
            problems.append(f'{path}: "{name}" is not for programs')
        other = layer_of.get(folder_of(target))
        if layer != other and sees_third_party(target):
            problems.append(f'{path}: "{name}" includes what only the sources of {other} may see')
        if "testdata" in target.parts and path.stem == stem and "testdata" not in path.parts:
            problems.append(f'{path}: "{name}" is for tests only')
        if other is None:
            problems.append(f'{path}: "{name}" lies in a folder that is no library')
        elif other not in allowed and (path.stem == stem or other not in allowed_in_tests):
            problems.append(f'{path}: "{name}" belongs to {other}, which {layer} must not use')


def check_arrows_are_used(layers, used):
    """A declared arrow stands for an #include, of the library itself or of what is only reached by it."""
    for name, layer in sorted(layers.items()):
        for other in layer["uses"]:
            if other not in layers:
                continue
            reached_otherwise = set().union(*(closure(layers, o) for o in layer["uses"] if o != other), set())
            only_by_it = closure(layers, other) - reached_otherwise
            if not any((name, lower) in used for lower in only_by_it):
                problems.append(f"CMakeLists.txt: {name} declares {other} and includes nothing of it")


def wing_of(layer):
    """The place in WINGS of a library of src/polygraphy; or None."""
    parts = layer["folders"][-1].split("/")
    return WINGS.index(parts[2]) if parts[1] == "polygraphy" else None


def check_wings(layers):
    for path in sorted(pathlib.Path("src/polygraphy").iterdir()):
        if path.name not in WINGS:
            problems.append(f"{path}: the debugging library consists of the wings {', '.join(WINGS)}")
            return
    wings = {name: wing for name, layer in layers.items() if (wing := wing_of(layer)) is not None}
    for name, wing in sorted(wings.items()):
        for other in layers[name]["uses"]:
            if wings.get(other, 0) > wing:
                problems.append(f"CMakeLists.txt: {name} ({WINGS[wing]}) uses {other}, which lies in a higher wing "
                                f"({WINGS[wings[other]]})")


def check_backends():
    for path in sorted(pathlib.Path("backends").rglob("*")):
        if path.suffix not in (".cpp", ".h") or path.parts[2] == "contract":
            continue
        folder = path.parts[1]
        for kind, name in includes(path):
            if (kind == '"' and name not in SDK_HEADERS
                    and not name.startswith((folder + "/", "common/"))):
                problems.append(f'{path}: "{name}": a back end includes the sdk header, "common/...", '
                                f"its own folder as \"{folder}/...\", and its engine's headers in <>")
            elif kind == "<" and ours(name):
                problems.append(f"{path}: <{name}> is not for back ends")


def check_extension():
    """The rooms of the extension for Python, lowest first, with the files below and the one above them."""
    root = pathlib.Path("python/extension")
    order = ["python_api", "python_values", "python_class", "python_functions",
             "arrays", "models", "graphs", "api", "calls", "module"]

    def rank(path):
        parts = path.relative_to(root).parts
        return order.index(parts[0] if len(parts) > 1 else path.stem)

    for path in sorted(root.rglob("*")):
        if path.suffix not in (".cpp", ".h"):
            continue
        for kind, name in includes(path):
            target = next((folder / name for folder in (root, path.parent) if (folder / name).exists()), None)
            if target is not None and rank(target) > rank(path):
                problems.append(f'{path}: "{name}" lies above it')
            elif target is None and kind == '"' and not ours(name) and name not in SDK_HEADERS:
                problems.append(f'{path}: "{name}" is not found')


def check_system_headers():
    """Only base/os and tests know the operating system; no entry of the list of others outlives its reason."""
    unused = set(MAY_ASK_THE_SYSTEM)
    for path in (path for root in ("backends", "include", "python", "src", "tools")
                 for path in sorted(pathlib.Path(root).rglob("*"))):
        if (path.suffix not in (".cpp", ".h") or path.stem.endswith(("_test", "_bench", "_fuzz"))
                or "testdata" in path.parts):
            continue
        found = [f"<{name}>" for _, name in includes(path) if SYSTEM_HEADER.match(name)]
        if path.parts[0] != "backends":
            found += SYSTEM_CALL.findall(path.read_text(encoding="utf-8"))
        allowed = {entry for entry in MAY_ASK_THE_SYSTEM if path.as_posix().startswith(entry)}
        if found:
            unused -= allowed
        for name in found if not allowed else []:
            problems.append(f"{path}: {name} is for src/base/os only: use what it has, or add it there")
    for entry in sorted(unused):
        problems.append(f"scripts/check_layers.py: {entry} includes no header of the system: end its exception")


def check_names():
    """Each source has its header beside it, and no two headers of a namespace have the same file name."""
    kinds = re.findall(r"pg_kind\(TARGET \S+ DIR (\S+)", pathlib.Path("CMakeLists.txt").read_text())
    headers = {}
    for path in files():
        folder = path.parent.as_posix()
        if folder in kinds or "testdata" in path.parts:
            continue
        if path.suffix == ".h":
            space = path.parts[1] if path.parts[1] in ("graphsurgeon", "cli") else "polygraphy"
            headers.setdefault((space, path.name), []).append(path.as_posix())
        elif (path.suffix == ".cpp" and not path.stem.endswith(("_test", "_bench", "_fuzz"))
              and header_of(path) is None):
            problems.append(f"{path}: has no header of its name beside it")
    for (_, name), paths in headers.items():
        if len(paths) > 1:
            problems.append(f'{" and ".join(paths)}: headers with the same file name')


def check_types():
    """No two headers define a type of one name in one namespace."""
    types = {}
    for path in files():
        if path.suffix != ".h":
            continue
        text = path.read_text(encoding="utf-8")
        space = NAMESPACE.search(text)
        for name in DEFINED_TYPE.findall(text):
            types.setdefault((space and space.group(1), name), set()).add(path.as_posix())
    for (space, name), paths in types.items():
        if len(paths) > 1:
            problems.append(f'{" and ".join(sorted(paths))}: both define {space}::{name}')


def check_public_comments():
    """Comments of headers for programs name no other headers."""
    public = {path.name for path in pathlib.Path("include").rglob("*.h")} | {pathlib.Path(h).name for h in SDK_HEADERS}
    for path in sorted(pathlib.Path("include").rglob("*.h")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(r"(\w+\.h)\b", line.partition("//")[2]):
                if name not in public:
                    problems.append(f"{path}:{number}: {name} is not for programs")


def main():
    layers = json.loads(pathlib.Path(sys.argv[1]).read_text())
    layer_of = {folder: name for name, layer in layers.items() for folder in layer["folders"]}
    count = 0
    used = set()
    for path in files():
        if path.suffix not in (".cpp", ".h"):
            continue
        count += 1
        layer = layer_of.get(folder_of(path))
        if layer is None:
            problems.append(f"{path}: in a folder that CMakeLists.txt gives to no library")
            continue
        check_library_file(path, layer, layers, layer_of)
        used |= {(layer, layer_of.get(folder_of(ours(name)))) for _, name in includes(path) if ours(name)}
    check_arrows_are_used(layers, used)
    check_wings(layers)
    check_backends()
    check_extension()
    check_system_headers()
    check_names()
    check_types()
    check_public_comments()
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


main()
