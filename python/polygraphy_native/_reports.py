"""Reports in one line, and as HTML for notebooks."""

from __future__ import annotations

import html
from dataclasses import fields
from typing import Any

_LONGEST_TEXT = 60
_OPEN_LINES = 40  # of a report that a notebook shows without a click


class _Report:
    """A dataclass with a long `text`."""

    text: str

    def __repr__(self) -> str:
        shown = (_field(each.name, getattr(self, each.name)) for each in fields(self))  # type: ignore[arg-type]
        return f"<{type(self).__name__}: {', '.join(part for part in shown if part)}>"

    def _repr_html_(self) -> str:
        state = " open" if self.text.count("\n") <= _OPEN_LINES else ""
        return (
            f"<details{state}><summary><code>{html.escape(repr(self))}</code></summary>"
            f"<pre>{html.escape(self.text)}</pre></details>"
        )


def _field(name: str, value: Any) -> str:
    """"passed=True", "3 comparisons"; empty for fields without a value, texts of several lines and
    data."""
    if value is None or (isinstance(value, str) and not value):
        return ""
    if isinstance(value, (bool, int, float)):
        return f"{name}={value}"
    if isinstance(value, str):
        if name == "text" or "\n" in value or len(value) > _LONGEST_TEXT:
            return ""
        return f"{name}={value!r}"
    if isinstance(value, (tuple, list)):
        return f"{len(value)} {name}"
    return ""
