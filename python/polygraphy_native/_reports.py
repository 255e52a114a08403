"""Results in one line, in notebooks, as tables of pandas and as pictures of matplotlib."""

from __future__ import annotations

import html
import importlib
import math
from dataclasses import is_dataclass
from typing import Any, Iterator, NamedTuple, Sequence

from polygraphy_native._reporting import Error

_LONGEST_TEXT, _LONGEST_LINE = 60, 400
_SHOWN_ROWS, _SHOWN_COLUMNS = 10, 12
_NOTHING = ("", "0", "False")  # cells of columns that are left out
_MOST_BARS = 300
_FIGURES = ("ratio", "effect", "microseconds")  # of a row that has one of them: its bar
_GUILTY = ("non-finite", "guilty", "guilty in place", "guilty if fused")  # verdicts of nodes
_BAD = (*_GUILTY, "overflow", "differs", "failed", "crashed", "not loaded", "exception")
_RED = "#d9383a"  # legible on white and on black
_CELL = "text-align:left;white-space:nowrap"


class _Bar(NamedTuple):
    label: str
    value: float  # infinite ones are ten times the largest of the others
    bad: bool


class _Shown:
    """A result: a record, or a list of them. Its rows are the items of its last list of records."""

    _list_of_rows = ""  # the name of another one

    def _rows(self) -> Sequence[Any]:
        if isinstance(self, list):
            return self
        members = vars(self)
        if self._list_of_rows:
            return list(members[self._list_of_rows])
        return next((each for each in reversed(members.values()) if _is_table(each)), ())

    def to_pandas(self) -> Any:
        """The rows as a DataFrame. Columns have the names of members; those of records in a row,
        and of the items of its lists, which get a row each, are "worst_channel.outlier"."""
        rows = [flat for row in self._rows() for flat in _flat(row)]
        return _module("pandas").DataFrame(rows)

    def __dataframe__(self, *arguments: Any, **options: Any) -> Any:
        return self.to_pandas().__dataframe__(*arguments, **options)

    def plot(self, axes: Any = None) -> Any:
        """Draws the figures of the rows, along the model where their places are known, and the bad
        ones in red; returns the axes of matplotlib."""
        name, bars = _bars(self._rows())
        if not bars:
            raise Error(f"{type(self).__name__} has no figures of nodes or layers to draw.")
        axes = axes or _module("matplotlib.pyplot").subplots()[1]
        colours = [_RED if bar.bad else "tab:blue" for bar in bars]
        axes.bar(range(len(bars)), [bar.value for bar in bars], color=colours, width=1)
        axes.set(yscale="log", ylabel=name, xlabel=f"{len(bars)} rows")
        return axes

    def _repr_html_(self) -> str:
        rows = sorted(self._rows(), key=lambda row: not _is_bad(row))
        table = _table([flat for row in rows[:_SHOWN_ROWS] for flat in _flat(row)], len(rows))
        return f"<div>{_headline(self)}{_picture(*_bars(rows))}{table}{_text(self)}</div>"


class _Report(_Shown):
    """A dataclass with a long `text`."""

    text: str

    def __repr__(self) -> str:
        shown = (_field(*each) for each in vars(self).items())
        return f"<{type(self).__name__}: {', '.join(part for part in shown if part)}>"


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise Error(f"{package} is not installed.", f"pip install {package}") from error


def _is_record(value: Any) -> bool:
    return is_dataclass(value) or hasattr(value, "_asdict")


def _is_table(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and _is_record(value[0])


def _flat(record: Any, prefix: str = "") -> Iterator[dict[str, Any]]:
    """The record in one row, or in one for each item of its last list of records."""
    row: dict[str, Any] = {}
    inner: list[dict[str, Any]] = [{}]
    members = vars(record) if is_dataclass(record) else record._asdict()
    for name, value in members.items():
        name = prefix + name
        if _is_table(value):
            inner = [flat for item in value for flat in _flat(item, f"{name}.")]
        elif _is_record(value):
            row |= next(_flat(value, f"{name}."))
        elif isinstance(value, dict):
            row |= {f"{name}.{key}": item for key, item in value.items()}
        elif value is not None:
            row[name] = value
    yield from ({**row, **more} for more in inner)


def _is_bad(row: Any) -> bool:
    words = (getattr(row, name, "") for name in ("verdict", "outcome", "level"))
    return getattr(row, "passed", True) is False or getattr(row, "kept", False) or any(
        word in _BAD for word in words
    )  # fmt: skip


def _bars(rows: Sequence[Any]) -> tuple[str, list[_Bar]]:
    """The name of the rows' figure, and a bar for each, along the model."""
    name = next((each for each in _FIGURES if rows and hasattr(rows[0], each)), "")
    if not name:
        return name, []
    along = sorted(rows, key=lambda row: (getattr(row, "graph", ""), _place(row)))
    values = [getattr(row, name) for row in along]
    most = max((value for value in values if value < math.inf), default=0) * 10 or 1
    labels = (f"{_name_of(row)}: {name} {_cell(value)}" for row, value in zip(along, values))
    return name, [
        _Bar(label, value if value < math.inf else most, _is_bad(row))
        for label, value, row in zip(labels, values, along)
    ]


def _place(row: Any) -> int:
    place: int = getattr(row, "position", getattr(row, "order", 0))
    return place


def _name_of(row: Any) -> str:
    return getattr(row, "node", "") or ", ".join(getattr(row, "nodes", ()))


def _picture(name: str, bars: list[_Bar]) -> str:
    """Bars in a logarithmic scale. Of many, the worst of neighbours."""
    if len(bars) < 2:
        return ""
    each = math.ceil(len(bars) / _MOST_BARS)
    groups = [bars[at : at + each] for at in range(0, len(bars), each)]
    worst = [max(group, key=lambda bar: (bar.bad, bar.value)) for group in groups]
    most = max(bar.value for bar in worst) or 1
    least = max(min((bar.value for bar in worst if bar.value > 0), default=1), most * 1e-6) / 2
    width, height = 600 / len(worst), 60
    drawn = []
    for at, bar in enumerate(worst):
        high = max(math.log(max(bar.value, least) / least) / math.log(most / least), 0.02) * height
        colour = f'fill="{_RED}"' if bar.bad else 'fill="currentColor" opacity="0.4"'
        drawn.append(
            f'<rect x="{at * width:.1f}" y="{height - high:.1f}" width="{width * 0.9:.1f}" '
            f'height="{high:.1f}" {colour}><title>{html.escape(bar.label)}</title></rect>'
        )
    return (
        f'<svg viewBox="0 0 600 {height}" width="600" style="max-width:100%" role="img" '
        f'aria-label="{name} of {len(bars)} rows">{"".join(drawn)}</svg>'
    )


def _headline(result: Any) -> str:
    answer = getattr(result, "answer", result)
    headline = getattr(answer, "headline", "")
    mark = f'<span style="color:{"#2a9d4a" if answer else _RED}">&#9679;</span> '
    return f"<p>{mark}<b>{html.escape(headline)}</b></p>" if headline else ""


def _table(rows: list[dict[str, Any]], total: int) -> str:
    """The first rows, with the columns that say something."""
    cells = [{name: _cell(value) for name, value in row.items()} for row in rows[:_SHOWN_ROWS]]
    names = dict.fromkeys(name for row in cells for name, text in row.items() if text not in _NOTHING)
    shown = list(names)[:_SHOWN_COLUMNS]
    if not shown:
        return ""
    head = "".join(f'<th style="{_CELL}">{html.escape(name)}</th>' for name in shown)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{html.escape(row.get(name, ""))}</td>' for name in shown) + "</tr>"
        for row in cells
    )
    more = f"<p>{total - len(cells)} more: to_pandas()</p>" if total > len(cells) else ""
    return f'<div style="overflow-x:auto"><table><tr>{head}</tr>{body}</table></div>{more}'


def _text(result: Any) -> str:
    text = result.text if isinstance(result, _Report) else ""
    state = "" if hasattr(result, "answer") else " open"
    summary = f"<summary><code>{html.escape(repr(result)[:_LONGEST_LINE])}</code></summary>"
    shown = f"<pre>{html.escape(text)}</pre>" if text else ""
    return f"<details{state}>{summary}{shown}</details>"


def _cell(value: Any) -> str:
    if value is None or isinstance(value, (bytes, dict)):
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    text = ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "\u2026"


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
