"""The progress of a call, as bars below the cell of a notebook."""

from __future__ import annotations

import html
import json
from importlib import import_module
from typing import Any

_QUIET = 1  # seconds in which nothing is shown


class Bar:
    """A bar for each phase of a call, the outermost first."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, event: str) -> None:
        """An event of `--progress json`. Without phases, the call has ended, and nothing is left."""
        progress = json.loads(event)
        if self._handle is None and (progress["seconds"] < _QUIET or not progress["phases"]):
            return
        display = import_module("IPython.display")
        page = display.HTML(_page(progress))
        if self._handle is None:
            self._handle = display.display(page, display_id=True)
        else:
            self._handle.update(page)
        if not progress["phases"]:
            self._handle = None


def _page(progress: dict[str, Any]) -> str:
    times = [_clock(progress["seconds"])]
    if "left" in progress:
        times.append(_clock(progress["left"]) + " left")
    rows = [_row(phase, times if number == 0 else []) for number, phase in enumerate(progress["phases"])]
    return f"<table>{''.join(rows)}</table>" if rows else ""


def _row(phase: dict[str, Any], times: list[str]) -> str:
    name, done, total = phase["phase"], phase["done"], phase.get("total")
    share = f' value="{done}" max="{total}"' if total else ""
    count = f"{_amount(phase, done)} of {_amount(phase, total)}" if total else _amount(phase, done)
    texts = [html.escape(name), f'<progress aria-label="{html.escape(name)}"{share}></progress>', count, ", ".join(times)]
    return "<tr>" + "".join(f"<td>{text}</td>" for text in texts) + "</tr>"


def _amount(phase: dict[str, Any], number: int) -> str:
    return f"{number / 2**20:.1f} MiB" if phase.get("unit") == "bytes" else str(number)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
