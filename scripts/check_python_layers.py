#!/usr/bin/env python3
"""check_python_layers.py [FOLDER...]: no module of the Python packages imports itself by way of others.

FOLDERs hold packages; without any, python/ of this tree. Imports inside functions count as those at the top
of a file do: they would only hide a circle. A name of a package that is a module of it is an import of that
module, `lazy_import("a.b")` and `import_module("a.b")` with a literal are imports, and an import runs the
`__init__` of each package around the imported module, unless the importer lies in that package, too. Imports under
`if TYPE_CHECKING:` do not happen. Other imports must be of the standard library, of OPTIONAL, or of packages
in the FOLDERs.
"""

import ast
import pathlib
import sys

# Packages of others, which may be missing: a user installs those that the task at hand needs.
OPTIONAL = {
    "IPython", "colored", "cuda", "google", "h5py", "lpips", "matplotlib", "ml_dtypes", "numpy", "onnx",
    "onnx_graphsurgeon", "onnxruntime", "tensorflow", "tf2onnx", "torch", "typing_extensions",
}
LAZY = {"lazy_import", "import_module"}


def modules_in(folder):
    """Module -> path, of the packages in a folder. An extension stands there by its stub."""
    found = {}
    for init in sorted(folder.glob("*/__init__.py")):
        for path in sorted([*init.parent.rglob("*.pyi"), *init.parent.rglob("*.py")]):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_for_types(node):
    """Whether an `if` is about TYPE_CHECKING."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def nodes(tree):
    """All nodes that may run."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += node.orelse if is_for_types(node) else ast.iter_child_nodes(node)


def imported(node, package):
    """Pairs of a module and a name in it, or None, that a node imports."""
    if isinstance(node, ast.Import):
        return [(alias.name, None) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = package.split(".")[: 1 - node.level or None] if node.level else []
        source = ".".join([*base, *filter(None, [node.module])])
        return [(source, alias.name) for alias in node.names]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        if name in LAZY and isinstance(node.args[0].value, str):
            return [(node.args[0].value.rstrip(".0123456789<>=!"), None)]
    return []


def arrows(modules):
    """Module -> {module that it imports: line}, and problems with imports of others' packages."""
    found, problems = {}, []
    for importer, path in modules.items():
        package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
        targets = found[importer] = {}
        for node in nodes(ast.parse(path.read_text(encoding="utf-8"))):
            for source, name in imported(node, package):
                root = source.split(".")[0]
                if not any(module.split(".")[0] == root for module in modules):
                    if root not in sys.stdlib_module_names | OPTIONAL:
                        problems.append(f"{path}:{node.lineno}: {root} is neither ours nor optional")
                    continue
                module = f"{source}.{name}" if f"{source}.{name}" in modules else source
                outer = module.split(".")
                around = [".".join(outer[:depth]) for depth in range(1, len(outer))]
                for target in [module, *(a for a in around if not f"{importer}.".startswith(f"{a}."))]:
                    if target in modules and target != importer:
                        targets.setdefault(target, node.lineno)
    return found, problems


def circles(graph):
    """The sets of modules that import each other, each sorted."""
    def reached(start):
        seen, pending = set(), [start]
        while pending:
            for target in graph[pending.pop()]:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return seen

    reach = {module: reached(module) for module in graph}
    found = []
    for module in sorted(graph):
        if module in reach[module] and not any(module in circle for circle in found):
            found.append(sorted(other for other in reach[module] if module in reach[other]))
    return found


def main():
    folders = [pathlib.Path(folder) for folder in sys.argv[1:] or ["python"]]
    modules = {}
    for folder in folders:
        modules.update(modules_in(folder))
    graph, problems = arrows(modules)
    for circle in circles(graph):
        problems.append(f"{len(circle)} modules import each other:")
        for module in circle:
            there = ", ".join(f"{t} (line {line})" for t, line in graph[module].items() if t in circle)
            problems.append(f"    {modules[module]}: {there}")
    for problem in problems:
        print(problem)
    print(f"{len(modules)} modules, {'no circle' if not problems else 'see above'}")
    sys.exit(1 if problems or not modules else 0)


main()
