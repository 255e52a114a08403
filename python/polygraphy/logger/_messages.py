"""Messages that are texts, or functions that make texts."""

from __future__ import annotations

from typing import Callable, Union

Message = Union[str, Callable[[], str]]


def text_of(message: Message, error_ok: bool) -> str:
    """The text of a message. If errors are allowed, a function that fails yields its error."""
    try:
        made = message() if callable(message) else message
    except Exception as err:
        if not error_ok:
            raise
        return f"<Error while logging this message: {str(err)}>"
    return str(made)
