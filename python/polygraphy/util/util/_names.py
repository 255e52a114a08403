"""Names, patterns for them, and objects as text."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from polygraphy import constants, mod
from polygraphy.logger import G_LOGGER
from polygraphy.util.util._values import default, is_inf, is_nan


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


@mod.export()
def str_from_layer(
    prefix: str,
    index: int,
    name: str,
    op: str,
    input_names: Sequence[str],
    input_meta,
    output_names: Sequence[str],
    output_meta,
) -> str:
    """One layer of a network in some lines: its name and type, its inputs, its outputs."""

    def tensor_names_to_string(names: Sequence[str], meta) -> str:
        described = [f"{name} {meta[name] if name in meta else ''}".strip() for name in names]
        return "{" + ",\n ".join(described) + "}"

    # The outputs stand below the inputs, unless one of the two is missing.
    level = 1 if input_names and output_names else 0
    outputs = tensor_names_to_string(output_names, output_meta)
    ret = f"{prefix} {index:<4} | {name} [Op: {op}]\n"
    ret += indent_block(tensor_names_to_string(input_names, input_meta))
    ret += "\n" * level + constants.TAB * level
    ret += f" -> {indent_block(outputs, 2 * level).strip()}"
    return ret + "\n"


@mod.export()
def indent_block(block: Any, level: int = 1) -> str:
    """Text with every line indented.

    Args:
        block: The text, or an object with one.
        level: How deep.
    """
    tab = constants.TAB * level
    return tab + f"\n{tab}".join(str(block).splitlines())


def handle_special_repr(obj: Any) -> str:
    """`repr`, but so that special numbers can be read back."""
    if is_nan(obj) or is_inf(obj):
        return f"float('{obj}')"
    return repr(obj)


def apply_repr(obj: Any) -> str:
    """Like `repr`, also for the elements of lists, tuples, sets and dictionaries."""
    if type(obj) is list:
        return "[" + ", ".join(map(apply_repr, obj)) + "]"
    if type(obj) is tuple:
        return "(" + ", ".join(map(apply_repr, obj)) + ("," if len(obj) == 1 else "") + ")"
    if type(obj) is set and obj:
        return "{" + ", ".join(map(apply_repr, obj)) + "}"
    if type(obj) is dict:
        return "{" + ", ".join(f"{apply_repr(k)}: {apply_repr(v)}" for k, v in obj.items()) + "}"
    return handle_special_repr(obj)


@mod.export()
def make_repr(type_str: str, *args, **kwargs) -> Tuple[str, bool, bool]:
    """A call as text.

    Args:
        type_str: The name of the called object.
        args: Positional arguments.
        kwargs: Named arguments; those that are None are left out.

    Returns:
        The text; whether all positional arguments are None; whether all named ones are.
    """
    processed_args = list(map(apply_repr, args))
    processed_kwargs = [
        f"{key}={apply_repr(val)}" for key, val in kwargs.items() if val is not None
    ]
    return (
        f"{type_str}({', '.join(processed_args + processed_kwargs)})",
        all(arg is None for arg in args),
        all(val is None for val in kwargs.values()),
    )
