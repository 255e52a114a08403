"""Errors and messages of the API."""

from __future__ import annotations

import logging

_LOGGER = logging.getLogger("polygraphy_native")

# Severities of the library, most severe first, and the levels that they have in `logging`.
_LEVELS = ((50, 50), (40, 40), (30, 30), (20, 20), (10, 10), (0, 6), (-10, 4), (-20, 2))


class Error(Exception):
    """Something that a file, an option, a model or an engine is at fault for.

    Attributes:
        message: The observation, and its place.
        hint: The remedy; may be empty.

    str() of it is both, one below the other.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\n{hint}" if hint else message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return type(self), (self.message, self.hint)


Error.__module__ = "polygraphy_native"  # its public name, which tracebacks show


def _threshold() -> int:
    """The least severity that a handler of the library's log records."""
    shown = 51
    for severity, level in _LEVELS:
        if not _LOGGER.isEnabledFor(level):
            break
        shown = severity
    return shown


def _log(severity: int, module: str, text: str) -> None:
    level = next(level for least, level in _LEVELS if severity >= least)
    _LOGGER.log(level, "%s", text, extra={"library_module": module})
