"""Names, and patterns for them."""

from __future__ import annotations

from typing import Callable, Dict, Iterable, List, Optional, Tuple

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.util.util._values import default


@mod.export()
def find_str_in_iterable(
    name: str, seq: Iterable[str], index: Optional[int] = None
) -> Optional[str]:
    """The entry that a name means: itself, one that contains it or is contained in it (without
    regard to case), or the entry at an index.

    Args:
        name: The name.
        seq: The entries.
        index: Where to look if no entry resembles the name.

    Returns:
        The entry, or None.
    """
    seq = list(seq)
    if name in seq:
        return name
    for entry in seq:
        if name.lower() in entry.lower() or entry.lower() in name.lower():
            return entry
    if index is not None and index < len(seq):
        return seq[index]
    return None


@mod.export()
def check_sequence_contains(
    sequence: Iterable,
    items: Iterable,
    name: Optional[str] = None,
    items_name: Optional[str] = None,
    log_func: Optional[Callable] = None,
    check_missing: Optional[bool] = None,
    check_extra: Optional[bool] = None,
) -> Tuple[set, set]:
    """Reports items that a sequence lacks, and elements of it that are not among the items.

    Args:
        sequence: The sequence.
        items: The items that it should contain.
        name: The name of the sequence in the report.
        items_name: The name of the items in the report.
        log_func: Gets the report, by default `G_LOGGER.critical`.
        check_missing: Whether to look for items that are missing. True if left out.
        check_extra: Whether to look for extra elements. True if left out.

    Returns:
        The missing items and the extra elements.
    """
    log_func = default(log_func, G_LOGGER.critical)
    name = default(name, "the sequence")
    items_name = default(items_name, "items")
    # Dictionaries instead of sets: messages list the elements in order.
    sequence, items = dict.fromkeys(sequence), dict.fromkeys(items)

    def text(elements: Iterable) -> str:
        return "{" + ", ".join(map(repr, elements)) + "}" if elements else "set()"

    note = (
        f"Note: {items_name} requested were: {text(items)}, "
        f"but all {items_name} are: {text(sequence)}"
    )
    missing = [element for element in items if element not in sequence]
    if missing and default(check_missing, True):
        log_func(f"The following {items_name} were not found in {name}: {text(missing)}.\n{note}")
    extra = [element for element in sequence if element not in items]
    if extra and default(check_extra, True):
        log_func(f"Extra {items_name} in {name}: {text(extra)}.\n{note}")
    return set(missing), set(extra)


@mod.export()
def contains_wildcard(target: str) -> bool:
    """Whether a name has characters that mean something in a pattern.

    Args:
        target: The name.
    """
    return any(c in target for c in "*?[]!")


@mod.export()
def match_keys(keys: Iterable[str], targets: Iterable[str]) -> Tuple[Dict[str, str], List[str]]:
    """Finds out which of some shell patterns stands for each name; later patterns win.

    Args:
        keys: The patterns.
        targets: The names.

    Returns:
        name -> pattern for the names that match any, and the patterns that match none.
    """
    from fnmatch import fnmatch

    targets = list(targets)
    matched: Dict[str, str] = {}
    unmatched: List[str] = []
    for key in keys:
        hits = [target for target in targets if fnmatch(target, key)]
        matched.update(dict.fromkeys(hits, key))
        if not hits:
            unmatched.append(key)
    return matched, unmatched
