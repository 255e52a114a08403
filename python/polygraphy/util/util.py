"""Helpers that everything else uses: names, files, queues, shapes and text."""

from __future__ import annotations

import functools
import math
import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from polygraphy import constants, mod
from polygraphy.logger import G_LOGGER

# Values


@mod.export()
def is_nan(obj: Any) -> bool:
    return isinstance(obj, float) and math.isnan(obj)


@mod.export()
def is_inf(obj: Any) -> bool:
    return isinstance(obj, float) and math.isinf(obj)


@mod.export()
def default(value: Any, default: Any) -> Any:
    """`value`, or `default` if it is None."""
    return default if value is None else value


@mod.export()
def is_sequence(obj: Any) -> bool:
    """Whether something can be iterated and is neither text nor a dictionary or set."""
    return hasattr(obj, "__iter__") and not isinstance(obj, (str, dict, set))


@mod.export()
def unpack_args(args: tuple, num: int) -> tuple:
    """The first `num` of some values, None for those that are missing; of a list, a new list."""
    args = args if is_sequence(args) else (args,)
    if len(args) < num:
        missing = [None] * (num - len(args))
        args = [*args, *missing] if isinstance(args, list) else (*args, *missing)
    return args[:num]


@mod.export()
def unique_list(sequence: Iterable) -> list:
    """The elements without repetitions, in order."""
    return list(dict.fromkeys(sequence))


@mod.export()
def invert_dict(dct: dict) -> dict:
    """Values to keys."""
    return {value: key for key, value in dct.items()}


@mod.export()
def value_or_from_dict(obj: Any, key: str, default: Any = None) -> Any:
    """What a setting says for `key`.

    Args:
        obj: One value for all, or a dictionary with `""` for keys that are not in it.
        key: What to look up.
        default: For dictionaries that have neither.
    """
    if not isinstance(obj, dict):
        return obj
    return obj.get(key, obj.get("", default))


@mod.export()
def invoke_if_callable(func: Any, *args, **kwargs) -> Tuple[Any, bool]:
    """Calls `func` if it can be called.

    Returns:
        What it returned, or `func` itself, and whether it was called.
    """
    return (func(*args, **kwargs), True) if callable(func) else (func, False)


@mod.export()
def getattr_nested(obj: Any, attr: str) -> Any:
    """`getattr` along a dotted path."""
    return functools.reduce(getattr, attr.split("."), obj)


@mod.export()
def try_getattr(obj: Any, attr: str, default: Any = None) -> Any:
    """`getattr`, or `default` if there is no such attribute."""
    return getattr(obj, attr, default)


@mod.export()
class TempAttrChange:
    """A context manager that sets attributes and puts the old values back afterwards.

    Args:
        arg_group: The object.
        attr_values: Attribute -> value. Values of None are not set.
    """

    def __init__(self, arg_group: Any, attr_values: Dict[str, Any]):
        self.arg_group = arg_group
        self.old_values: dict = {}
        self.new_values = attr_values

    def __enter__(self) -> "TempAttrChange":
        for attr, value in self.new_values.items():
            self.old_values[attr] = getattr(self.arg_group, attr)
            if value is not None:
                setattr(self.arg_group, attr, value)
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        for attr, value in self.old_values.items():
            setattr(self.arg_group, attr, value)


# Names


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
        items: What it should contain.
        name: What to call the sequence.
        items_name: What to call the items.
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
    """Whether a name has characters that mean something in a pattern."""
    return any(c in target for c in "*?[]!")


@mod.export()
def match_keys(keys: Iterable[str], targets: Iterable[str]) -> Tuple[Dict[str, str], List[str]]:
    """Finds out which of some shell patterns stands for each name; later patterns win.

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


# Files


@mod.export()
def sanitize_filename(path: str) -> str:
    """A path as a name that is good for one file, without folders."""
    return path.replace(os.path.sep, "_")


@mod.export()
class NamedTemporaryFile:
    """A new file in the folder for temporary files. It is open while the context is entered.

    Other than that of `tempfile`, it can be opened a second time on every system, and stays until
    somebody deletes it.

    Args:
        mode: How to open it, by default `"wb+"`.
        prefix: First part of its name.
        suffix: Last part of its name.
    """

    def __init__(
        self,
        mode: Optional[str] = None,
        prefix: Optional[str] = None,
        suffix: Optional[str] = None,
    ):
        import tempfile

        self.mode = default(mode, "wb+")
        prefix, suffix = default(prefix, ""), default(suffix, "")
        self._fhandle = None
        while True:
            self.name = os.path.join(
                tempfile.gettempdir(), f"{prefix}{os.urandom(24).hex()}{suffix}"
            )
            try:
                # Exclusive: nobody else may have made, or prepared a link under, this name.
                os.close(os.open(self.name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                return
            except FileExistsError:
                continue
            except OSError:
                G_LOGGER.critical(
                    f"Could not create a temporary file under: {tempfile.gettempdir()}"
                )

    def __enter__(self):
        self._fhandle = open(self.name, self.mode)
        return self._fhandle

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        self._fhandle.close()


@mod.export()
class LockFile:
    """A context manager that waits for, and then holds, a lock beside a file.

    The lock is a file of its own, `PATH.lock`, and stays behind: deleting it would let two others
    lock different files of the same name.

    Args:
        path: The file. Nothing is locked for file-like objects.
    """

    def __init__(self, path):
        self.is_file_like = is_file_like(path)
        if not self.is_file_like:
            self.lock_path = path + ".lock"
            self._handle = None

    def __enter__(self) -> "LockFile":
        if self.is_file_like:
            return self
        makedirs(self.lock_path)
        self._handle = open(self.lock_path, "wb")
        if sys.platform == "win32":
            import msvcrt
            import time

            while True:
                try:
                    msvcrt.locking(self._handle.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:
                    # It gives up after ten tries.
                    time.sleep(0.1)
        else:
            import fcntl

            fcntl.lockf(self._handle.fileno(), fcntl.LOCK_EX)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        if self.is_file_like:
            return
        if sys.platform == "win32":
            import msvcrt

            self._handle.seek(0)
            msvcrt.locking(self._handle.fileno(), msvcrt.LK_UNLCK, 1)
        # Elsewhere, closing the file unlocks it.
        self._handle.close()


@mod.export()
def find_in_dirs(name_glob: str, dirs: Sequence[str]) -> List[str]:
    """What a pattern matches in the first of some folders where it matches anything."""
    import glob

    for folder in dirs:
        found = glob.glob(os.path.join(folder, name_glob))
        if found:
            return found
    return []


def is_file_like(obj: Any) -> bool:
    """Whether something can be read from and written to, as far as it has the methods."""
    return hasattr(obj, "read") and hasattr(obj, "write")


def warn_if_wrong_mode(file_like: Any, mode: str) -> None:
    """Warns if a file-like object was opened otherwise than a mode asks for."""

    def binary(text: str) -> bool:
        return "b" in text

    def readable(text: str) -> bool:
        return "r" in text or "+" in text

    def writable(text: str) -> bool:
        return any(c in text for c in "wax+")

    have = getattr(file_like, "mode", None)
    if not isinstance(have, str):
        return
    if (
        binary(have) != binary(mode)
        or (readable(mode) and not readable(have))
        or (writable(mode) and not writable(have))
    ):
        G_LOGGER.warning(
            "File-like object has a different mode than requested!\n"
            f"Note: Requested mode was: {mode} but file-like object has mode: {have}"
        )


@mod.export()
def get_file_size(src) -> int:
    """The size in bytes of a path or a file-like object, whose position does not change."""
    if not is_file_like(src):
        return os.stat(src).st_size
    position = src.tell()
    try:
        return src.seek(0, os.SEEK_END)
    finally:
        src.seek(position)


@mod.export()
def add_file_suffix(path: str, suffix: str) -> str:
    """`a/b.c` with suffix `-d` is `a/b-d.c`."""
    path, ext = os.path.splitext(path)
    return f"{path}{suffix}{ext}"


@mod.export()
def makedirs(path: str) -> None:
    """Makes the folder that a file at `path` will lie in."""
    dir_path = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(dir_path):
        G_LOGGER.verbose(f"{dir_path} does not exist, creating now.")
        os.makedirs(dir_path, exist_ok=True)


@mod.export()
def load_file(src, mode: str = "rb", description: Optional[str] = None) -> Union[str, bytes]:
    """Everything that a file holds.

    Args:
        src: A path, or a file-like object, which is read from its beginning and put back to where it
            was.
        mode: How to open it: `"rb"` for bytes, `"r"` for text.
        description: What it holds, for a message.
    """
    if description is not None:
        G_LOGGER.info(f"Loading {description} from {src}")
    if is_file_like(src):
        warn_if_wrong_mode(src, mode)
        # Sources such as pipes have no position.
        position = src.tell() if getattr(src, "seekable", lambda: True)() else None
        if position is not None:
            src.seek(0)
        contents = src.read()
        if position is not None:
            src.seek(position)
        return contents
    with open(src, mode) as file:
        return file.read()


def _get_num_bytes(contents: Any) -> int:
    """The size of anything that lends its bytes; the length of text."""
    if isinstance(contents, str):
        return len(contents)
    try:
        return memoryview(contents).nbytes
    except TypeError:
        raise TypeError(
            f"`contents` is {contents}, which is not bytes-like. Cannot get number of bytes."
        ) from None


@mod.export()
def save_file(contents, dest, mode: str = "wb", description: Optional[str] = None):
    """Writes a file.

    Args:
        contents: Text, or anything that lends its bytes.
        dest: A path, whose folder is made, or a file-like object.
        mode: How to open it.
        description: What it will hold, for a message.

    Returns:
        `dest`, or an object that was opened there and is closed by now.
    """
    if description is not None:
        G_LOGGER.info(f"Saving {description} to {dest}")

    if is_file_like(dest):
        warn_if_wrong_mode(dest, mode)
        bytes_written = dest.write(contents)
        dest.flush()
    else:
        from polygraphy.util._replaced_file import replaced_file

        makedirs(dest)
        with replaced_file(dest, mode) as file:
            bytes_written = file.write(contents)

    try:
        content_bytes = _get_num_bytes(contents)
    except TypeError:
        G_LOGGER.warning(
            "Failed to retrieve number of content bytes. "
            "Could not check whether the entire file was written."
        )
    else:
        # Some file-like objects do not say how much they took.
        if bytes_written is not None and bytes_written != content_bytes:
            G_LOGGER.warning(
                f"Could not write entire file. Note: file contains {content_bytes} bytes, "
                f"but only {bytes_written} bytes were written"
            )
    return dest


# Queues between processes


class Compressed:
    """An object that was pickled and compressed."""

    def __init__(self, cobj: bytes):
        self.bytes = cobj


def is_compressed(obj: Any) -> bool:
    return isinstance(obj, Compressed)


def compress(obj: Any) -> Compressed:
    import pickle
    import zlib

    G_LOGGER.verbose(f"Compressing {type(obj)} object")
    return Compressed(zlib.compress(pickle.dumps(obj)))


def decompress(compressed: Compressed) -> Any:
    import pickle
    import zlib

    G_LOGGER.verbose("Decompressing bytes")
    return pickle.loads(zlib.decompress(compressed.bytes))


PIPE_MAX_SEND_BYTES = 1 << 31
"""int: What fits into one message between processes"""


def send_on_queue(queue, obj: Any) -> None:
    """Sends an object, compressed if it would be too large otherwise."""
    import pickle

    if sys.getsizeof(obj) > PIPE_MAX_SEND_BYTES:
        G_LOGGER.warning(
            f"Object size ({sys.getsizeof(obj)} bytes) exceeds maximum size that can be sent "
            f"over queues ({PIPE_MAX_SEND_BYTES} bytes). Attempting to compress - this may take "
            "some time. If this does not work or you want to avoid the compression overhead, you "
            "should disable subprocesses by omitting the --use-subprocess flag, or by setting "
            "use_subprocess=False in Comparator.run()."
        )
        obj = compress(obj)
    # The queue pickles in a thread of its own, where nobody sees the error.
    pickle.dumps(obj)
    G_LOGGER.ultra_verbose(lambda: f"Sending: {obj} on queue")
    queue.put(obj)


@mod.export()
def try_send_on_queue(queue, obj: Any) -> None:
    """Sends an object, or None and a warning if it cannot be sent."""
    try:
        send_on_queue(queue, obj)
    except Exception as err:
        G_LOGGER.warning(f"Could not send object on queue: {err}\nSending None instead.")
        queue.put(None)


def receive_on_queue(queue, timeout: Optional[float] = None) -> Any:
    """What arrives within `timeout` seconds."""
    G_LOGGER.extra_verbose("Waiting for data to become available on queue")
    obj = queue.get(block=True, timeout=timeout)
    if is_compressed(obj):
        obj = decompress(obj)
    G_LOGGER.ultra_verbose(lambda: f"Received {obj} on queue")
    return obj


@mod.export()
def try_receive_on_queue(queue, timeout: Optional[float] = None) -> Any:
    """What arrives within `timeout` seconds, or None and a warning."""
    hint = (
        "You may want to run with use_subprocess=False in Comparator.run() or omit the "
        "--use-subprocess flag to prevent further issues."
    )
    try:
        obj = receive_on_queue(queue, timeout)
        if obj is None:
            G_LOGGER.warning(
                f"Received {obj} on the queue. This likely means that there was an error in "
                f"sending the object over the queue. {hint}"
            )
        return obj
    except Exception as err:
        G_LOGGER.warning(f"Could not receive on queue: {err}\n{hint}")
        return None


# Functions


@mod.export()
def check_called_by(expected_caller_name: str) -> Callable:
    """A decorator for methods that have a public wrapper.

    Calling them from outside of Polygraphy, and not out of a function of the expected name, warns.
    """

    def check_called_by_impl(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            caller = sys._getframe(1)
            package = caller.f_globals.get("__name__", "").split(".")[0]
            if package != "polygraphy" and caller.f_code.co_name != expected_caller_name:
                G_LOGGER.warning(
                    f"Calling '{func.__qualname__}()' directly is not recommended. "
                    f"Please use '{expected_caller_name}()' instead."
                )
            return func(*args, **kwargs)

        return wrapped

    return check_called_by_impl


# Shapes


def is_dimension_dynamic(dim: Any) -> bool:
    """Whether a dimension is anything but a number that is not negative."""
    return not isinstance(dim, int) or dim < 0


def num_dynamic_dimensions(shape: Sequence) -> int:
    return sum(map(is_dimension_dynamic, shape))


@mod.export()
def is_shape_dynamic(shape: Sequence) -> bool:
    """Whether any dimension is dynamic."""
    return num_dynamic_dimensions(shape) > 0


@mod.export()
def is_valid_shape_override(new_shape: Sequence, original_shape: Optional[Sequence]) -> bool:
    """Whether a shape agrees with another one wherever that is static."""
    if original_shape is None:
        return True
    return len(new_shape) == len(original_shape) and all(
        is_dimension_dynamic(original) or new == original
        for new, original in zip(new_shape, original_shape)
    )


@mod.export()
def override_dynamic_shape(shape: Sequence, default_shape_value: Optional[int] = None) -> list:
    """A shape with a number, 1 if none is given, in place of every dynamic dimension."""
    value = default(default_shape_value, constants.DEFAULT_SHAPE_VALUE)
    return [value if is_dimension_dynamic(dim) else dim for dim in shape]


@mod.export()
def volume(obj: Sequence[int]) -> int:
    """The number of elements of a shape."""
    return math.prod(obj)


@mod.export()
def is_empty_shape(shape: Sequence[int]) -> bool:
    return volume(shape) == 0


@mod.export()
def try_match_shape(arr, shape: Sequence):
    """An array brought to a shape, by a permutation of its axes if one does, else by a reshape.

    Args:
        arr: A NumPy array or torch tensor.
        shape: The shape; dynamic dimensions are taken from the array.

    Returns:
        The array; as it was, with a message, if the shape cannot be had.
    """
    from polygraphy.util import array as array_util

    def is_rank_same(arr, shape) -> bool:
        return len(array_util.shape(arr)) == len(shape)

    def try_reshape(arr, shape):
        original_shape = array_util.shape(arr)
        try:
            arr = arr.reshape(shape)
        except (ValueError, RuntimeError, TypeError):
            G_LOGGER.warning(
                f"Could not reshape array from shape: {array_util.shape(arr)} to {shape}. "
                "Skipping reshape."
            )
        else:
            if array_util.shape(arr) != original_shape:
                G_LOGGER.info(
                    f"Reshaped array from shape: {original_shape} to: {array_util.shape(arr)}"
                )
        return arr

    def try_permute(arr, shape):
        original_shape = array_util.shape(arr)
        if sorted(original_shape) != sorted(shape):
            G_LOGGER.extra_verbose(
                f"Array of shape: {original_shape} cannot be permuted to: {shape}"
            )
            return arr
        free = list(range(len(original_shape)))
        perm = []
        for dim in shape:
            axis = next(axis for axis in free if original_shape[axis] == dim)
            free.remove(axis)
            perm.append(axis)
        arr = array_util.transpose(arr, perm)
        if array_util.shape(arr) != original_shape:
            G_LOGGER.info(
                f"Permuted array of shape: {original_shape} to: {array_util.shape(arr)} "
                f"using permutation {perm}"
            )
        return arr

    def freeze(arr, shape):
        """The dynamic dimensions of `shape`, as far as the array determines them."""
        if num_dynamic_dimensions(shape) == 1:
            static = volume([dim for dim in shape if not is_dimension_dynamic(dim)])
            count = array_util.size(arr) // static if static else 0
            return [count if is_dimension_dynamic(dim) else dim for dim in shape]
        if is_rank_same(arr, shape):
            return [
                actual if is_dimension_dynamic(dim) else dim
                for dim, actual in zip(shape, array_util.shape(arr))
            ]
        return shape

    if shape == array_util.shape(arr):
        return arr
    if is_shape_dynamic(shape):
        shape = freeze(arr, shape)
    if not is_rank_same(arr, shape):
        arr = try_reshape(arr, shape)
    if is_rank_same(arr, shape):
        arr = try_permute(arr, shape)
    return try_reshape(arr, shape)


# Text


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
    """Text with every line indented."""
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
        type_str: What is called.
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
