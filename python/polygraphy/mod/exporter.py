"""Decorators that make names public, give loaders their immediate form, and retire old names."""

from __future__ import annotations

import functools
import sys
import types
import warnings
from typing import Any, Callable, Optional

import polygraphy
from polygraphy.logger import G_LOGGER
from polygraphy.mod.util import version


def _add_to_all(name: str, module) -> None:
    if not hasattr(module, "__all__"):
        module.__all__ = []
    module.__all__.append(name)


def _define_in_module(name: str, symbol, module) -> None:
    assert name not in vars(module), "This symbol is already defined!"
    setattr(module, name, symbol)


def _caller_module(depth: int):
    return sys.modules[sys._getframe(depth + 1).f_globals["__name__"]]


def _snake_case(name: str) -> str:
    """`EngineFromNetwork` -> `engine_from_network`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


# Flags of code objects, as in `inspect`, whose import takes longer than all of this package.
_CO_VARARGS, _CO_VARKEYWORDS = 0x04, 0x08
# The order that parameters need in a definition.
_REQUIRED, _OPTIONAL, _VAR_POSITIONAL, _KEYWORD, _VAR_KEYWORD = range(5)


def _parameters(method: Callable) -> tuple:
    """Pairs of rank and name of the parameters of a method without `self`, and name -> default."""
    while hasattr(method, "__wrapped__"):
        method = method.__wrapped__
    code = getattr(method, "__code__", None)
    # A method that is not written in Python is `object`'s.
    if code is None:
        return [], {}
    names = iter(code.co_varnames)
    positional = [next(names) for _ in range(code.co_argcount)]
    keyword = [next(names) for _ in range(code.co_kwonlyargcount)]
    values = method.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values))
    parameters = [(_OPTIONAL if n in defaults else _REQUIRED, n) for n in positional[1:]]
    if code.co_flags & _CO_VARARGS:
        parameters.append((_VAR_POSITIONAL, next(names)))
    parameters += [(_KEYWORD, name) for name in keyword]
    if code.co_flags & _CO_VARKEYWORDS:
        parameters.append((_VAR_KEYWORD, next(names)))
    return parameters, {**defaults, **(method.__kwdefaults__ or {})}


def _definition(parameters: list, defaults: dict) -> str:
    """Parameters as they stand between the parentheses of a definition."""
    texts = []
    for rank, name in sorted(parameters, key=lambda parameter: parameter[0]):
        if rank == _KEYWORD and not any(text.startswith("*") for text in texts):
            texts.append("*")
        stars = {_VAR_POSITIONAL: "*", _VAR_KEYWORD: "**"}.get(rank, "")
        texts.append(f"{name}={name}" if name in defaults else stars + name)
    return ", ".join(texts)


def _call(parameters: list) -> str:
    """Parameters as they are passed on."""
    forms = {_VAR_POSITIONAL: "*{0}", _KEYWORD: "{0}={0}", _VAR_KEYWORD: "**{0}"}
    return ", ".join(forms.get(rank, "{0}").format(name) for rank, name in parameters)


def _dedented(doc: Optional[str]) -> str:
    """A docstring without the indentation of its lines after the first one."""
    first, *rest = (doc or "").splitlines() or [""]
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join([first] + [line[margin:] for line in rest]).strip()


def _immediate_form(loader: type, func_name: str, module) -> Callable:
    """A function that makes a loader and calls it at once.

    Required parameters of both come first, then optional ones of both, then variadic ones.
    """
    init, init_defaults = _parameters(loader.__init__)
    call, call_defaults = _parameters(loader.call_impl)
    assert not {name for _, name in init} & {
        name for _, name in call
    }, "Cannot funcify a type where call_impl and __init__ have the same argument names!"
    defaults = {**init_defaults, **call_defaults}

    # A function as a user would write it: Python checks the arguments and words the errors.
    code = f"""
def make({", ".join(["_loader", *defaults])}):
    def {func_name}({_definition(init + call, defaults)}):
        return _loader({_call(init)})({_call(call)})
    return {func_name}
"""
    scope: dict = {}
    exec(code, vars(module), scope)
    immediate = scope["make"](loader, **defaults)
    immediate.__qualname__ = func_name
    methods = [m for m in (loader.__init__, loader.call_impl) if m is not object.__init__]
    for method in methods:
        immediate.__annotations__.update(getattr(method, "__annotations__", {}))
    docs = [_dedented(method.__doc__) for method in methods]
    immediate.__doc__ = "\n".join(
        [f"Immediately evaluated functional variant of :class:`{loader.__name__}` .\n"]
        + [doc for doc in docs if doc]
    )
    return immediate


# Base classes of loaders: `polygraphy.backend.base` adds its own, which uses this module.
_loader_bases: list = []


def loader_base(cls: type) -> type:
    """A decorator: classes derived from `cls` are loaders, see `export`."""
    _loader_bases.append(cls)
    return cls


def export(funcify: bool = False, func_name: Optional[str] = None) -> Callable:
    """A decorator that puts the name of what it decorates into its module's `__all__`.

    Args:
        funcify: For classes derived from `BaseLoader`: also defines and exports a function, the
            immediate form, that takes the arguments of the constructor and of `call_impl` and
            returns what the loader returns. The two may not share names of arguments.
        func_name: The name of that function; by default the class's, as `snake_case`.
    """
    module = _caller_module(1)

    def export_impl(func_or_cls):
        _add_to_all(func_or_cls.__name__, module)
        if funcify:
            assert isinstance(
                func_or_cls, type
            ), "Decorated type must be a loader to use funcify=True"
            assert issubclass(
                func_or_cls, tuple(_loader_bases)
            ), "Decorated type must derive from BaseLoader to use funcify=True"
            name = func_name or _snake_case(func_or_cls.__name__)
            function = _immediate_form(func_or_cls, name, module)
            _define_in_module(name, function, module)
            _add_to_all(name, module)
        return func_or_cls

    return export_impl


def export_parts() -> None:
    """Makes the calling module, a package, one module for its users.

    It exports what the modules in it export. Exported objects name it as their module, so that
    pickles and messages do not depend on the file that defines them. Other names of these modules,
    which scripts may reach for, are found there on access.
    """
    face = _caller_module(1)
    inner = face.__name__ + "."

    def __getattr__(name: str) -> Any:
        for path, part in [] if name.startswith("__") else list(sys.modules.items()):
            if path.startswith(inner) and name in vars(part):
                return vars(part)[name]
        raise AttributeError(f"module '{face.__name__}' has no attribute '{name}'")

    face.__getattr__ = __getattr__  # type: ignore[method-assign]
    for part in [value for value in vars(face).values() if isinstance(value, types.ModuleType)]:
        if part.__name__.startswith(inner):
            for name in getattr(part, "__all__", ()):
                _add_to_all(name, face)
    for symbol in vars(face).values():
        if not isinstance(symbol, types.ModuleType):
            if (getattr(symbol, "__module__", None) or "").startswith(inner):
                symbol.__module__ = face.__name__


def _removed_already(remove_in: str) -> bool:
    return version(polygraphy.__version__) >= version(remove_in)


def warn_deprecated(
    name: str,
    use_instead: Optional[str],
    remove_in: str,
    module_name: Optional[str] = None,
    always_show_warning: bool = False,
) -> None:
    """Warns that something goes away.

    Args:
        name: The name that goes away.
        use_instead: The name to use in its place, if any.
        remove_in: The version that will be without it. At that version, an internal error.
        module_name: Stands in front of the name.
        always_show_warning: Whether to log a warning as well: Python hides most deprecations.
    """
    if _removed_already(remove_in):
        G_LOGGER.internal_error(f"{name} should have been removed in version: {remove_in}")
    shown = ".".join(filter(None, [module_name, name]))
    text = f"{shown} is deprecated and will be removed in Polygraphy {remove_in}."
    hint = "" if use_instead is None else f" Use {use_instead} instead."
    warnings.warn(text + hint, DeprecationWarning, stacklevel=3)
    if always_show_warning:
        G_LOGGER.warning(text + hint)


def deprecate(
    remove_in: str,
    use_instead: Optional[str],
    module_name: Optional[str] = None,
    name: Optional[str] = None,
) -> Callable:
    """A decorator for functions and classes that go away: using them warns.

    Args:
        remove_in: The version that will be without it.
        use_instead: The name to use in its place, if any.
        module_name: The module to name in the warning.
        name: The name in the warning, by default that of what is decorated.
    """

    def deprecate_impl(obj):
        if _removed_already(remove_in):
            G_LOGGER.internal_error(f"{obj} should have been removed in version: {remove_in}")
        shown = name or obj.__name__
        doc = f"Deprecated: Use {use_instead} instead." if use_instead else "Deprecated."
        if obj.__doc__:
            doc = f"{doc}\n\n{obj.__doc__}"

        if isinstance(obj, type):

            class Deprecated(obj):
                def __init__(self, *args, **kwargs):
                    warn_deprecated(shown, use_instead, remove_in, module_name)
                    super().__init__(*args, **kwargs)

            Deprecated.__doc__ = doc
            Deprecated.__name__ = obj.__name__
            return Deprecated

        if isinstance(obj, types.FunctionType):

            @functools.wraps(obj)
            def wrapped(*args, **kwargs):
                warn_deprecated(shown, use_instead, remove_in, module_name)
                return obj(*args, **kwargs)

            wrapped.__doc__ = doc
            return wrapped

        G_LOGGER.internal_error(f"deprecate is not implemented for: {obj}")
        return obj

    return deprecate_impl


def export_deprecated_alias(
    name: str, remove_in: str, use_instead: Optional[str] = None
) -> Callable:
    """A decorator that exports an old name, which warns, for what it decorates.

    Args:
        name: The old name.
        remove_in: The version that will be without it.
        use_instead: The name to use in its place, by default the new name.
    """
    module = _caller_module(1)

    def export_deprecated_alias_impl(obj):
        alias = deprecate(
            remove_in,
            use_instead=use_instead or obj.__name__,
            module_name=module.__name__,
            name=name,
        )(obj)
        _define_in_module(name, alias, module)
        _add_to_all(name, module)
        return obj

    return export_deprecated_alias_impl
