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


# Keywords of ours, which calls for the original do not have.
ADDED = {"keep_input_defaults"}


def signature(obj, kind: str) -> str:
    """The parameters and their defaults, without annotations, `self` and keywords of ours."""
    parameters = list(inspect.signature(obj).parameters.values())
    if kind.startswith("method"):
        parameters = parameters[1:]
    theirs = [p for p in parameters if p.kind != p.KEYWORD_ONLY or p.name not in ADDED]
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in theirs]
    return str(inspect.Signature(bare))
