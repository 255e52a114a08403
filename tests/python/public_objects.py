"""Prints the classes and functions of a package as JSON: parameters, and names in docstrings.

PACKAGE: the name of the package, an environment variable.
"""

import importlib
import inspect
import json
import os
import pkgutil
import re

PLAIN = (int, float, str, bool, tuple, type(None))


def sections(doc):
    """Heading -> the names that the lines of the section begin with."""
    found, names, indent = {}, None, 0
    for line in inspect.cleandoc(doc or "").splitlines():
        heading = re.match(r"\s*(Attributes|Depends on):$", line)
        if heading:
            names, indent = found.setdefault(heading[1], []), None
        elif names is not None and line.strip():
            at = len(line) - len(line.lstrip())
            indent = at if indent is None else indent
            item = re.match(r"-? ?(\w+) ?(?=\(|:|$)", line.strip())
            if at < indent:
                names = None
            elif at == indent and item:
                names.append(item[1])
    return found


def parameters(item):
    try:
        signature = inspect.signature(item)
    except (TypeError, ValueError):
        return None
    return [
        (each.name, each.kind.name, repr(each.default) if isinstance(each.default, PLAIN) else "")
        for each in signature.parameters.values()
    ]


def describes_parameters(doc):
    return re.search(r"^\s*Args:", inspect.cleandoc(doc or ""), re.M) is not None


def described(item):
    return {"parameters": parameters(item), "sections": sections(item.__doc__),
            "args": describes_parameters(item.__doc__)}  # fmt: skip


def members(cls):
    for name in sorted(dir(cls)):
        function = inspect.getattr_static(cls, name)
        function = getattr(function, "__func__", function)
        if (not name.startswith("_") or name == "__init__") and inspect.isfunction(function):
            yield name, function


def modules(package):
    yield package
    root = importlib.import_module(package)
    for found in pkgutil.walk_packages(root.__path__, package + ".", onerror=lambda name: None):
        if not any(part.startswith("_") for part in found.name.split(".")):
            yield found.name


def main(package):
    objects = {}
    for name in modules(package):
        try:
            module = importlib.import_module(name)
        except Exception:
            continue  # a package that it needs is missing
        for key, item in sorted(vars(module).items()):
            is_class = inspect.isclass(item)
            if key.startswith("_") or not (is_class or inspect.isfunction(item)):
                continue
            if not (item.__module__ or "").startswith(package):
                continue
            objects[f"{name}:{key}"] = {**described(item), "own": item.__module__ == name}
            for member, function in members(item) if is_class else ():
                objects[f"{name}:{key}.{member}"] = {
                    **described(function), "own": item.__module__ == name,
                }  # fmt: skip
    print("OBJECTS", json.dumps(objects))


main(os.environ["PACKAGE"])
