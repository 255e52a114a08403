"""Comparing version numbers."""

from __future__ import annotations

# A part of a version that is not a number is split at the first of these that it contains.
_TAGS = ("a", "b", "rc", "post", "dev")
# How a tagged part stands to the plain number: 3.dev0 < 3a1 < 3b1 < 3rc1 < 3 < 3post1.
_ORDER = {"dev": 0, "a": 1, "b": 2, "rc": 3, None: 4, "post": 5}


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _key(part) -> tuple:
    if isinstance(part, int):
        return (part, _ORDER[None], 0, "")
    if isinstance(part, tuple):
        pre, tag, post = part
        return (_number(pre), _ORDER[tag], _number(post), "")
    return (0, _ORDER[None], 0, part)


class _Version(tuple):
    """A tuple of numbers, words and tagged numbers, all of which compare with each other."""

    __slots__ = ()

    def __lt__(self, other) -> bool:
        return [_key(part) for part in self] < [_key(part) for part in other]

    def __gt__(self, other) -> bool:
        return _Version.__lt__(other, self)

    def __le__(self, other) -> bool:
        return not _Version.__lt__(other, self)

    def __ge__(self, other) -> bool:
        return not self < other


def version(version_str: str) -> tuple:
    """`"1.2.3"` as a tuple that compares as versions do: `(1, 2, 3)`.

    `"3rc1"` becomes `("3", "rc", "1")`; other words, and the text after a `+`, stay as they are.
    """

    def part(text: str, tags: tuple):
        try:
            return int(text)
        except ValueError:
            tag = next((tag for tag in tags if tag in text), None)
            return text.partition(tag) if tag else text

    public, plus, local = version_str.partition("+")
    parts = [part(text, _TAGS) for text in public.split(".")]
    if plus:
        parts += [part(text, ()) for text in local.split(".")]
    return _Version(parts)
