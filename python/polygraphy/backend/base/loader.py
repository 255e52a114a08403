"""The base class of loaders: functions with arguments bound before they run."""

from __future__ import annotations

from polygraphy import func, mod
from polygraphy.backend.base.util import warn_of_direct_calls
from polygraphy.mod.exporter import _dedented, loader_base


@mod.export()
@loader_base
class BaseLoader:
    """Something that is put together now, and does its work whenever it is called.

    Derived classes implement `call_impl`. Nothing happens before the call, and each call does all
    of the work again.
    """

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        warn_of_direct_calls(cls, call_impl="__call__")
        # The constructor of most loaders has the summary of the class.
        doc = _dedented(vars(cls).get("__init__", object).__doc__)
        if cls.__doc__ and doc.startswith("Args:"):
            cls.__init__.__doc__ = f"{cls.__doc__}\n\n{doc}"

    def call_impl(self, *args, **kwargs):
        """Does the work. To be implemented by derived classes, called by `__call__` only."""
        raise NotImplementedError("BaseLoader is an abstract class")

    @func.constantmethod
    def __call__(self, *args, **kwargs):
        """Calls `call_impl` with the arguments given."""
        return self.call_impl(*args, **kwargs)
