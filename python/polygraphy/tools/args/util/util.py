"""Parsers of the texts of options, and scripts that run at once."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from polygraphy import constants, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType, DataTypeEntry
from polygraphy.logger import G_LOGGER
from polygraphy.tools.script import Script, ensure_safe, inline, inline_identifier, safe


@mod.export()
def cast(val: str) -> Union[int, float, str, list]:
    """The value of a text: a number if it is one, a list if it has brackets at an end, otherwise
    the text without surrounding spaces and quotes.

    Brackets do not nest: `"[1, [x]]"` is `[1, ["x"]]`, as the last element has brackets, too.

    Args:
        val: The text.
    """
    val = val.strip()
    if val.startswith("[") or val.endswith("]"):
        return [cast(element) for element in val.strip("[]").split(",")]
    for number in (int, float):
        try:
            return number(val)
        except ValueError:
            pass
    return val.strip("\"'")


@mod.export()
def run_script(script_func: Callable, *args) -> Any:
    """Lets a function write a script, and runs that.

    Args:
        script_func: A function of a new script and one variable for each of `args`; it returns
            the variable of the result.
        args: Values that the script can use.

    Returns:
        The value of the variable; None if the function returned None, or the script lacks
        the variable.
    """
    script = Script()
    names = [inline_identifier(f"__arg{index}") for index in range(len(args))]
    # None stays None, so that the function can leave it out.
    result = script_func(
        script, *(None if arg is None else name for name, arg in zip(names, args))
    )
    if result is None:
        return None
    variables = {name.unwrap(): arg for name, arg in zip(names, args)}
    code = str(script)
    exec(code, variables)
    return variables.get(ensure_safe(result).unwrap())


@mod.export()
def get(args, attr: str, default: Any = None) -> Any:
    """The value of an option in an `argparse.Namespace`, or `default` if the parser lacks the
    option.

    Args:
        args: The parsed options.
        attr: Where the parser keeps the option.
        default: The value for a parser without it.
    """
    return getattr(args, attr, default)


@mod.export()
def get_outputs(args, name: str) -> Union[List[str], str, None]:
    """The value of an option that lists outputs; `constants.MARK_ALL` if it means all of them."""
    outputs = get(args, name)
    if outputs == ["mark", "all"]:
        G_LOGGER.warning(
            "'mark all' is deprecated and will be removed in Polygraphy 0.55.0. Use '*' instead."
        )
        return constants.MARK_ALL
    return constants.MARK_ALL if outputs == ["*"] else outputs


@mod.export()
def get_outputs_for_script(script: Script, outputs):
    """The result of `get_outputs` for use in the code of a script."""
    if outputs == constants.MARK_ALL:
        script.add_import(["constants"], frm="polygraphy")
        return inline(safe("constants.MARK_ALL"))
    return outputs


@mod.export()
def parse_arglist_to_tuple_list(
    arg_lst: Optional[List[str]],
    cast_to: Optional[Callable] = None,
    sep: Optional[str] = None,
    allow_empty_key: Optional[bool] = None,
    treat_missing_sep_as_val: Optional[bool] = None,
    treat_unspecified_as_none: Optional[bool] = None,
) -> Optional[List[Tuple[Optional[str], Any]]]:
    """Keys and values of texts like `KEY:VALUE`.

    Args:
        arg_lst: The texts.
        cast_to: A function that converts texts to values. `cast` if left out.
        sep: The separator of the two: the last one counts. A colon if left out.
        allow_empty_key: Whether there need not be a key. True if left out.
        treat_missing_sep_as_val: Whether a text without separator is a value (of the key `""`),
            not a key (with the value `""`). True if left out.
        treat_unspecified_as_none: Whether keys and values that are missing are None, not `""`.

    Returns:
        A tuple for each text; None for None.

    Raises:
        PolygraphyException: If a key is missing, or a value cannot be converted.
    """
    if arg_lst is None:
        return None
    cast_to = util.default(cast_to, cast)
    sep = util.default(sep, ":")
    allow_empty_key = util.default(allow_empty_key, True)
    treat_missing_sep_as_val = util.default(treat_missing_sep_as_val, True)

    def parsed(arg: str) -> tuple:
        key, found_sep, text = arg.rpartition(sep)
        if not found_sep and not treat_missing_sep_as_val:
            key, text = text, key
        if not key and not allow_empty_key:
            G_LOGGER.critical(
                f"Could not parse argument: {arg}. Expected an argument in the format: "
                f"`key{sep}value`.\n"
            )
        try:
            value = cast_to(text) if text or not treat_unspecified_as_none else None
        except ValueError as err:
            G_LOGGER.critical(f"Could not parse argument: {arg}. Note: Error was: {err}")
        return (None if not key and treat_unspecified_as_none else key), value

    return [parsed(arg) for arg in arg_lst]


@mod.export()
def parse_arg_to_tuple(
    arg: Optional[str],
    cast_to: Optional[Callable] = None,
    sep: Optional[str] = None,
    allow_empty_key: Optional[bool] = None,
    treat_missing_sep_as_val: Optional[bool] = None,
    treat_unspecified_as_none: Optional[bool] = None,
) -> Optional[Tuple[Optional[str], Any]]:
    """Key and value of one text, see `parse_arglist_to_tuple_list`; None for None.

    Args:
        arg: The text.
        cast_to, sep, allow_empty_key, treat_missing_sep_as_val, treat_unspecified_as_none: As
            there.
    """
    if arg is None:
        return None
    return parse_arglist_to_tuple_list(
        [arg], cast_to, sep, allow_empty_key, treat_missing_sep_as_val, treat_unspecified_as_none
    )[0]


@mod.export()
def parse_arglist_to_dict(
    arg_lst: Optional[List[str]],
    cast_to: Optional[Callable] = None,
    sep: Optional[str] = None,
    allow_empty_key: Optional[bool] = None,
    treat_missing_sep_as_val: Optional[bool] = None,
    treat_unspecified_as_none: Optional[bool] = None,
) -> Optional[Dict[Optional[str], Any]]:
    """A dictionary of texts like `KEY:VALUE`, see `parse_arglist_to_tuple_list`; the last one of a
    key counts."""
    tuples = parse_arglist_to_tuple_list(
        arg_lst, cast_to, sep, allow_empty_key, treat_missing_sep_as_val, treat_unspecified_as_none
    )
    return None if tuples is None else dict(tuples)


@mod.export()
def parse_script_and_func_name(
    arg: Optional[str], default_func_name: Optional[str] = None
) -> Tuple[Optional[str], Optional[str]]:
    """Path and function of a text like `SCRIPT.py:FUNCTION`.

    Args:
        arg: The text.
        default_func_name: The function if the text does not name one.

    Returns:
        Both; `(None, None)` for None.
    """
    if arg is None:
        return None, None
    # The colon of a drive separates nothing.
    drive, rest = os.path.splitdrive(arg)
    path, func_name = parse_arg_to_tuple(rest, cast_to=str, treat_missing_sep_as_val=False)
    return drive + path, func_name or default_func_name


def datatype_from_str(dt_str: str) -> DataTypeEntry:
    """The data type with a name, in any case.

    Args:
        dt_str: The name, such as `float16`.

    Raises:
        PolygraphyException: If no type has this name.
    """
    found = getattr(DataType, dt_str.upper(), None)
    if not isinstance(found, DataTypeEntry):
        G_LOGGER.critical(
            f"Could not understand data type: {dt_str}. Did you forget to specify a data type? "
            f"Please use one of: {[*DataType.__members__]} or `auto`."
        )
    return found


def _dimension(element: Any, arg: str) -> Union[int, str]:
    if not isinstance(element, (int, str)):
        G_LOGGER.critical(
            f"Could not understand the shape in '{arg}': '{element}' is not a dimension."
        )
    return element


def _parse_shape(text: str, arg: str) -> list:
    shape = cast(text)
    if not isinstance(shape, list):
        G_LOGGER.critical(
            f"Could not understand the shape in '{arg}': expected a list in brackets, but got "
            f"'{text}'."
        )
    # An empty list is a scalar; as in the original, further commas count for nothing.
    return [_dimension(element, arg) for element in shape if element != ""]


@mod.export()
def parse_meta(
    meta_args: List[str], includes_shape: bool = True, includes_dtype: bool = True
) -> TensorMetadata:
    """Metadata of texts like `NAME:SHAPE:TYPE`. Names may have colons; shapes and types may be
    `auto`, which is None.

    Args:
        meta_args: The texts. The last one of a name counts.
        includes_shape: Whether they have shapes, such as `[1,batch,-1]`.
        includes_dtype: Whether they have types, such as `float32`.

    Raises:
        PolygraphyException: If a shape or a type cannot be parsed.
    """
    metadata = TensorMetadata()
    for arg in meta_args:
        name, dtype, shape = arg, None, None
        if includes_dtype:
            name, _, text = name.rpartition(":")
            dtype = None if text.lower() == "auto" else datatype_from_str(text)
        if includes_shape:
            name, _, text = name.rpartition(":")
            shape = None if text.lower() == "auto" else _parse_shape(text, arg)
        metadata.add(name, dtype, shape)
    return metadata


_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@mod.export()
def parse_num_bytes(num_bytes_arg: Optional[str]) -> Optional[int]:
    """The number of bytes that a text means: `16777216`, `16e6`, `16M`; None for None.

    Args:
        num_bytes_arg: The text.

    Raises:
        PolygraphyException: If it is not a number of bytes.
    """
    if num_bytes_arg is None:
        return None
    factor = _BYTES.get(num_bytes_arg[-1:].upper(), 1)
    number = num_bytes_arg[:-1] if factor > 1 else num_bytes_arg
    try:
        if factor == 1 and number.strip().lstrip("+-").isdigit():
            return int(number)
        return int(float(number) * factor)
    except (ValueError, OverflowError):
        G_LOGGER.critical(
            f"Could not convert {num_bytes_arg} to a number of bytes. Please use either an integer "
            "(e.g. 16000000), scientific notation (e.g. 16e6), or a number with a valid suffix: K, "
            "M, or G (e.g. 16M)."
        )


@mod.export()
def parse_path(path: Optional[str], name: str) -> Optional[str]:
    """The absolute path of something that exists; otherwise warns and returns it as it is.

    Args:
        path: The path, or None.
        name: A word for the warning, such as `"Model"`.
    """
    if path is None:
        return None
    if os.path.exists(path):
        return os.path.abspath(path)
    G_LOGGER.warning(f"{name} path does not exist: {path}")
    return path


@mod.export()
def make_trt_enum_val(enum_name: str, value: str) -> Script.String:
    """Code of an enumerator, for scripts that import TensorRT as `trt`.

    Args:
        enum_name: The enumeration, such as `"TacticSource"`.
        value: The enumerator, in any case.

    Raises:
        PolygraphyException: If one of the two is not an identifier. Only the script itself checks
            that TensorRT has it.
    """
    return inline(safe("trt.{}.{}", inline_identifier(enum_name), inline_identifier(value.upper())))
