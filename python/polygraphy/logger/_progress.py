"""How far a long call is, on the last line of a terminal, as `polygraphy_native` shows it.

Nothing is shown where standard error is neither a terminal nor a notebook, nor in the first second.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterable, Iterator, Optional

_END = object()


class Progress:
    """The steps of a call, from its first one to `end()`.

    Args:
        phase: The name of a step: "iteration".
        total: How many there are, if that is known.
    """

    _shown: Optional["Progress"] = None  # calls inside a call that is shown show nothing

    def __init__(self, phase: str, total: Optional[int] = None):
        self._phase, self._total, self._done = phase, total, 0
        self._line: Any = None
        if Progress._shown is None and (line := _line_of_stderr()) is not None:
            self._line = line
            Progress._shown = self
            self._report()

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        self._report()

    def end(self) -> None:
        """Clears the line. May be called again."""
        if Progress._shown is self:
            self._hide()
            Progress._shown = self._line = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.end()

    def _report(self) -> None:
        if self._line is not None:
            _native().report_progress(self._line, self._phase, self._done, self._total)

    def _hide(self) -> None:
        if self._line is not None:
            _native().hide_progress(self._line)

    def _show(self) -> None:
        if self._line is not None:
            _native().show_progress(self._line)


@contextlib.contextmanager
def above_progress() -> Iterator[None]:
    """For code that prints: the line is hidden meanwhile."""
    shown = Progress._shown
    if shown is None:
        yield
        return
    shown._hide()
    try:
        yield
    finally:
        shown._show()


def over(items: Iterable, phase: str, total: Optional[int] = None) -> Iterator:
    """The items, each of which is a step of a call. The code that makes them may print.

    Args:
        items: The items, made one by one.
        phase: See Progress.
        total: See Progress; if left out, what the items say.
    """
    with Progress(phase, length(items) if total is None else total) as progress:
        iterator = iter(items)
        while True:
            with above_progress():
                item = next(iterator, _END)
            if item is _END:
                return
            yield item
            progress.step()


def length(items: Any) -> Optional[int]:
    """How many items there are, None if they do not say."""
    try:
        return len(items)
    except TypeError:
        return None


def _native() -> Any:
    from polygraphy_native import _native

    return _native


def _line_of_stderr() -> Any:
    notebook = type(sys.stderr).__module__.startswith("ipykernel.")
    try:
        return _native().progress_line() if notebook or sys.stderr.isatty() else None
    except (AttributeError, ImportError, ValueError):  # no stream, no extension, a closed stream
        return None
