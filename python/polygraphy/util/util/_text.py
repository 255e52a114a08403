"""Layers, blocks and calls as text."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

from polygraphy import constants, mod
from polygraphy.util.util._values import is_inf, is_nan


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
