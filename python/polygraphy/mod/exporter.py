"""Decorators that make names public, give loaders their immediate form, and retire old names."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from typing import Callable, Optional

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


def _parameters(loader: type, method: str) -> list:
    """The parameters of a method without `self`; none if nobody but `object` defines it."""
    function = getattr(loader, method)
    if function is getattr(object, method, None):
        return []
    return list(inspect.signature(function).parameters.values())[1:]


def _merged_signature(init: list, call: list) -> inspect.Signature:
    """Required ones of both, then optional ones of both, then variadic ones."""
    Parameter = inspect.Parameter

    def rank(parameter) -> int:
        if parameter.kind == Parameter.VAR_POSITIONAL:
            return 2
        if parameter.kind == Parameter.KEYWORD_ONLY:
            return 3
        if parameter.kind == Parameter.VAR_KEYWORD:
            return 4
        return int(parameter.default is not Parameter.empty)

    return inspect.Signature(sorted(init + call, key=rank))


def _immediate_form(loader: type, func_name: str, module_name: str) -> Callable:
    """A function that makes a loader and calls it at once."""
    init = _parameters(loader, "__init__")
    call = _parameters(loader, "call_impl")
    assert not {p.name for p in init} & {
        p.name for p in call
    }, "Cannot funcify a type where call_impl and __init__ have the same argument names!"
    signature = _merged_signature(init, call)

    def arguments(bound: inspect.BoundArguments, parameters: list) -> tuple:
        """The bound arguments that belong to these parameters, ready to be passed on."""
        own = inspect.BoundArguments(
            inspect.Signature(parameters),
            {p.name: bound.arguments[p.name] for p in parameters if p.name in bound.arguments},
        )
        return own.args, own.kwargs

    def immediate(*args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as err:
            raise TypeError(f"{func_name}(): {err}") from None
        # Otherwise `BoundArguments` would drop positional arguments after the first default.
        bound.apply_defaults()
        init_args, init_kwargs = arguments(bound, init)
        call_args, call_kwargs = arguments(bound, call)
        return loader(*init_args, **init_kwargs)(*call_args, **call_kwargs)

    immediate.__name__ = immediate.__qualname__ = func_name
    immediate.__module__ = module_name
    immediate.__signature__ = signature
    docs = [inspect.getdoc(x) for x in (loader.__init__, loader.call_impl)]
    immediate.__doc__ = "\n".join(
        [f"Immediately evaluated functional variant of :class:`{loader.__name__}` .\n"]
        + [doc for doc in docs if doc]
    )
    return immediate


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
            # This is the base class's package, which exports things itself.
            from polygraphy.backend.base import BaseLoader

            assert inspect.isclass(
                func_or_cls
            ), "Decorated type must be a loader to use funcify=True"
            assert BaseLoader in inspect.getmro(
                func_or_cls
            ), "Decorated type must derive from BaseLoader to use funcify=True"
            name = func_name or _snake_case(func_or_cls.__name__)
            function = _immediate_form(func_or_cls, name, module.__name__)
            _define_in_module(name, function, module)
            _add_to_all(name, module)
        return func_or_cls

    return export_impl


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
        name: What goes away.
        use_instead: What to use in its place, if there is anything.
        remove_in: The version that will be without it. At that version, an internal error.
        module_name: Stands in front of the name.
        always_show_warning: Whether to log a warning as well, as Python hides most of its own.
    """
    if _removed_already(remove_in):
        G_LOGGER.internal_error(f"{name} should have been removed in version: {remove_in}")
    full_obj_name = f"{module_name}.{name}" if module_name else name
    msg = f"{full_obj_name} is deprecated and will be removed in Polygraphy {remove_in}."
    if use_instead is not None:
        msg += f" Use {use_instead} instead."
    warnings.warn(msg, DeprecationWarning, stacklevel=3)
    if always_show_warning:
        G_LOGGER.warning(msg)


def deprecate(
    remove_in: str,
    use_instead: Optional[str],
    module_name: Optional[str] = None,
    name: Optional[str] = None,
) -> Callable:
    """A decorator for functions and classes that go away: using them warns.

    Args:
        remove_in: The version that will be without it.
        use_instead: What to use in its place, if there is anything.
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

        if inspect.isclass(obj):

            class Deprecated(obj):
                def __init__(self, *args, **kwargs):
                    warn_deprecated(shown, use_instead, remove_in, module_name)
                    super().__init__(*args, **kwargs)

            Deprecated.__doc__ = doc
            Deprecated.__name__ = obj.__name__
            return Deprecated

        if inspect.isfunction(obj):

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
        use_instead: What to use in its place, by default the new name.
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
