"""Names of modules as text: where they are found, and with which parameters they are called."""

import importlib
import inspect

CALLABLE = ("function", "method", "staticmethod", "classmethod", "class")


def find(module: str, name: str):
    """The object that a dotted name refers to in a module; AttributeError without one."""
    obj = importlib.import_module(module)
    for part in name.split("."):
        obj = getattr(obj, part)
    return obj


def signature(obj, kind: str) -> str:
    """The parameters and their defaults, without annotations and `self`."""
    parameters = list(inspect.signature(obj).parameters.values())
    if kind.startswith("method"):
        parameters = parameters[1:]
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]
    return str(inspect.Signature(bare))
