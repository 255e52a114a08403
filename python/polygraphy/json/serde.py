"""JSON with Polygraphy's own types, and with those that users register.

An object of a registered type is written as a dictionary that names the type under
`constants.TYPE_MARKER`. Arrays are base64 of the contents of a `.npy` file.
"""

from __future__ import annotations

import copy
import functools
import importlib
import io
import json
import math
import os
from typing import Any, Callable, Iterable, Iterator, List, Optional, Union

from polygraphy import constants, mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.util.util import is_file_like

np = mod.lazy_import("numpy")
torch = mod.lazy_import("torch>=1.13.0")

ITERATION_FILE_INDEX_WIDTH = 10
"""int: Digits of the names of files that hold one iteration each"""

# Modules that register types; a file may be read before any of them was imported.
_REGISTERING_MODULES = [
    "polygraphy.common.struct",
    "polygraphy.comparator.struct",
    "polygraphy.comparator.compare",
    "polygraphy.backend.trt",
]


def legacy_str_from_type(typ: Union[type, str]) -> str:
    """The key that marked a type in old files."""
    return "__polygraphy_encoded_" + str_from_type(typ)


def str_from_type(typ: Union[type, str]) -> str:
    """What a type is called in files."""
    return typ if isinstance(typ, str) else typ.__name__


class BaseCustomImpl:
    """What encoder and decoder have in common: a registry of functions."""

    @classmethod
    def register(cls, typ: type, alias: Optional[str] = None) -> Callable:
        """A decorator that makes a function write, or read, a type.

        ::

            @Encoder.register(Dog)
            def encode(dog):
                return {"name": dog.name}

            @Decoder.register(Dog)
            def decode(dct):
                return Dog(name=dct["name"])

        Args:
            typ: The type.
            alias: For reading: another name under which the type is found in files.
        """

        def add(key, func) -> None:
            if key in cls.polygraphy_registered:
                G_LOGGER.critical(
                    f"Duplicate serialization function for type: {key}.\n"
                    f"Note: Existing function: {cls.polygraphy_registered[key]}, "
                    f"New function: {func}"
                )
            cls.polygraphy_registered[key] = func

        def register_impl(func):
            if issubclass(cls, Encoder):

                @functools.wraps(func)
                def wrapped(obj):
                    dct = func(obj)
                    dct[constants.TYPE_MARKER] = str_from_type(typ)
                    return dct

                add(typ, wrapped)
                return wrapped

            if issubclass(cls, Decoder):

                @functools.wraps(func)
                def wrapped(dct):
                    # What remains is the type's own.
                    dct.pop(constants.TYPE_MARKER, None)
                    dct.pop(legacy_str_from_type(typ), None)
                    return func(dct)

                add(legacy_str_from_type(typ), wrapped)
                add(str_from_type(typ), wrapped)
                if alias is not None:
                    add(alias, wrapped)
                return wrapped

            G_LOGGER.critical("Cannot register for unrecognized class type: ")

        return register_impl


@mod.export()
class Encoder(BaseCustomImpl, json.JSONEncoder):
    """Writes registered types besides those that JSON has."""

    polygraphy_registered: dict = {}

    def default(self, o: Any) -> Any:
        encode = self.polygraphy_registered.get(type(o))
        if encode is None and _register_arrays():
            encode = self.polygraphy_registered.get(type(o))
        return encode(o) if encode is not None else super().default(o)


@mod.export()
class Decoder(BaseCustomImpl):
    """Reads registered types: to be called with the pairs of each JSON object."""

    polygraphy_registered: dict = {}

    def __call__(self, pairs) -> Any:
        from collections import OrderedDict

        dct = OrderedDict(pairs)

        name = dct.get(constants.TYPE_MARKER)
        if name is not None:
            decode = self._find(name)
            if decode is None:
                G_LOGGER.critical(
                    f"Could not decode serialized type: {name}. "
                    "This could be because a required module is missing. "
                )
            return decode(dct)

        for key, value in dct.items():
            # Values may be arrays, for which `==` is no question with one answer.
            is_marked = isinstance(value, str) and value == constants.LEGACY_TYPE_MARKER
            if is_marked and key.startswith(legacy_str_from_type("")):
                decode = self._find(key)
                if decode is not None:
                    return decode(dct)
        return dct

    def _find(self, name: str) -> Optional[Callable]:
        """The function for a name; arrays and Polygraphy's own types need not be registered yet."""
        decode = self.polygraphy_registered.get(name)
        if decode is not None:
            return decode
        if not isinstance(name, str):
            return None
        _register_arrays(decoding=name)
        for module in _REGISTERING_MODULES:
            if name in self.polygraphy_registered:
                break
            try:
                importlib.import_module(module)
            except ImportError:
                continue
        return self.polygraphy_registered.get(name)


class _FileEncoder(Encoder):
    """Leaves large arrays to those who write the file."""

    def __init__(self, tokens, **kwargs):
        super().__init__(**kwargs)
        self._tokens = tokens

    def default(self, o: Any) -> Any:
        if self._tokens.takes(o):
            return {"array": self._tokens.add(o), constants.TYPE_MARKER: "ndarray"}
        return super().default(o)


class _FileDecoder(Decoder):
    """Fetches large arrays from the file."""

    def __init__(self, arrays):
        self._arrays = arrays

    def __call__(self, pairs) -> Any:
        tokens = [value for _, value in pairs if self._arrays.is_token(value)]
        if not tokens:
            return super().__call__(pairs)
        if (constants.TYPE_MARKER, "ndarray") in pairs:
            return self._arrays.array(tokens[-1])
        text_of = self._arrays.original_text
        return super().__call__([(k, text_of(v) if v in tokens else v) for k, v in pairs])


NUMPY_REGISTRATION_SUCCESS = False
TORCH_REGISTRATION_SUCCESS = False
COMMON_REGISTRATION_SUCCESS = False


def _large_array(data: bytes):
    """The array in a large file of NumPy's, with one copy; None for others, which np.load reads."""
    if len(data) < 1 << 20 or not data.startswith(b"\x93NUMPY\x01\x00"):
        return None
    stream = io.BytesIO(data)
    np.lib.format.read_magic(stream)
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype.hasobject:
        return None
    count = math.prod(shape)
    flat = np.frombuffer(data, dtype, count, stream.tell()).copy()
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _register_numpy() -> None:
    @Encoder.register(np.ndarray)
    def encode(array):
        import base64

        data = io.BytesIO()
        np.save(data, array, allow_pickle=False)
        return {"array": base64.b64encode(data.getvalue()).decode()}

    @Decoder.register(np.ndarray)
    def decode(dct):
        import binascii

        text = dct["array"]
        # Base64 of the first bytes of an archive or a file of one array; older files hold the
        # bytes themselves, as the characters of the same number.
        raw = not text.startswith(("k05VTVBZ", "UEsD", "UEsF"))
        data = text.encode("latin-1") if raw else binascii.a2b_base64(text, strict_mode=True)
        array = _large_array(data)
        if array is not None:
            return array
        loaded = np.load(io.BytesIO(data), allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            return loaded
        if not loaded.files:
            G_LOGGER.critical("Array payload is empty or invalid (NPZ archive contains no arrays).")
        return loaded[loaded.files[0]]


def _register_torch() -> None:
    @Encoder.register(torch.Tensor)
    def encode(tensor):
        import base64

        data = io.BytesIO()
        torch.save(tensor, data)
        return {"tensor": base64.b64encode(data.getvalue()).decode()}

    @Decoder.register(torch.Tensor)
    def decode(dct):
        import base64

        return torch.load(io.BytesIO(base64.b64decode(dct["tensor"])), weights_only=True)


def _register_arrays(decoding: Optional[str] = None) -> bool:
    """Registers the array types of modules that are imported, or that a name in a file needs.

    Returns:
        Whether anything was registered.
    """
    global NUMPY_REGISTRATION_SUCCESS, TORCH_REGISTRATION_SUCCESS
    import sys

    before = (NUMPY_REGISTRATION_SUCCESS, TORCH_REGISTRATION_SUCCESS)
    stem = (decoding or "").replace(legacy_str_from_type(""), "")
    if not NUMPY_REGISTRATION_SUCCESS:
        if "numpy" in sys.modules or (stem == "ndarray" and np.is_importable()):
            _register_numpy()
            NUMPY_REGISTRATION_SUCCESS = True
    if not TORCH_REGISTRATION_SUCCESS:
        if "torch" in sys.modules or (stem == "Tensor" and torch.is_importable()):
            _register_torch()
            TORCH_REGISTRATION_SUCCESS = True
    return before != (NUMPY_REGISTRATION_SUCCESS, TORCH_REGISTRATION_SUCCESS)


def try_register_common_json(func: Callable) -> Callable:
    """A decorator for functions that need the array types: registers them first."""

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        global COMMON_REGISTRATION_SUCCESS
        _register_arrays()
        COMMON_REGISTRATION_SUCCESS = True
        return func(*args, **kwargs)

    return wrapped


@mod.export()
@try_register_common_json
def to_json(obj: Any) -> str:
    """An object as JSON, indented by four spaces.

    Args:
        obj: Anything made of what JSON has, and of registered types.
    """
    return json.dumps(obj, cls=Encoder, indent=constants.TAB)


@mod.export()
@try_register_common_json
def from_json(src: str) -> Any:
    """The object that JSON describes. Dictionaries are `OrderedDict`.

    Args:
        src: The text.

    Raises:
        PolygraphyException: If it names a type that nobody registered.
    """
    return json.loads(src, object_pairs_hook=Decoder())


@mod.export()
def save_json(obj: Any, dest, description: Optional[str] = None) -> None:
    """Writes an object into a JSON file.

    Args:
        obj: The object.
        dest: A path or a file-like object.
        description: What it is, for a message.
    """
    if is_file_like(dest):
        util.save_file(to_json(obj), dest, mode="w", description=description)
        return
    from polygraphy.json import _arrays_in_files
    from polygraphy.util._replaced_file import replaced_file

    if description is not None:
        G_LOGGER.info(f"Saving {description} to {dest}")
    _register_arrays()
    tokens = _arrays_in_files.ArrayTokens()
    text = json.dumps(obj, cls=_FileEncoder, indent=constants.TAB, tokens=tokens)
    util.makedirs(dest)
    with replaced_file(dest, "wb") as file:
        tokens.write(text, file)


@mod.export()
def load_json(src, description: Optional[str] = None) -> Any:
    """The object in a JSON file.

    Args:
        src: A path or a file-like object.
        description: What it is, for a message.
    """
    if is_file_like(src) or not os.path.isfile(src):
        return from_json(util.load_file(src, mode="r", description=description))
    from polygraphy.json import _arrays_in_files

    if description is not None:
        G_LOGGER.info(f"Loading {description} from {src}")
    _register_arrays()
    with open(src, "rb") as file:
        arrays = _arrays_in_files.ArrayFile(file)
        return json.loads(arrays.text, object_pairs_hook=_FileDecoder(arrays))


# One file for all iterations, or a folder with one file for each


def list_iteration_files(dir_path: str) -> List[str]:
    """The `*.json` files of a folder, by name."""
    return sorted(
        os.path.join(dir_path, name) for name in os.listdir(dir_path) if name.endswith(".json")
    )


def is_single_file(path: str) -> bool:
    """Whether a path means one file: one with an extension does, one without means a folder."""
    return bool(os.path.splitext(path)[1])


class IterationWriter:
    """A context manager that writes iterations into one file, or into a folder as they come.

    Args:
        path: The file, or, without an extension, the folder.
        combine: Makes, from the list of iterations, what is written into a single file.
        copy_on_accumulate: Whether iterations that wait for the single file are copied, as their
            arrays may be overwritten by the next one.
        description: What the iterations are, for messages.
    """

    def __init__(
        self,
        path: str,
        combine: Optional[Callable[[list], Any]] = None,
        copy_on_accumulate: bool = False,
        description: Optional[str] = None,
    ):
        self.path = path
        self.single_file = is_single_file(path)
        self._combine = combine
        self._copy_on_accumulate = copy_on_accumulate
        self._items: list = []
        self._index = 0
        self._description = description
        desc = util.default(description, "data")

        if self.single_file:
            G_LOGGER.info(f"Saving {desc} to a single file: {path}")
            return
        G_LOGGER.info(f"Saving {desc} to a directory of per-iteration files: {path}")
        if os.path.exists(path) and not os.path.isdir(path):
            G_LOGGER.critical(
                f"Cannot save {desc} to '{path}': a file already exists there, but an "
                "extensionless path is a directory of per-iteration files. Use a path with a "
                "file extension to save a single file, or a different directory."
            )
        if os.path.isdir(path) and os.listdir(path):
            G_LOGGER.critical(
                f"Cannot save {desc} to '{path}': the directory is not empty. Per-iteration "
                "files require an empty or new directory (so nothing is overwritten). Use a "
                "different path, or remove its contents first."
            )
        os.makedirs(path, exist_ok=True)

    def append(self, item: Any) -> None:
        """Takes one more iteration."""
        if self.single_file:
            self._items.append(copy.deepcopy(item) if self._copy_on_accumulate else item)
        else:
            name = f"{self._index:0{ITERATION_FILE_INDEX_WIDTH}d}.json"
            save_json(item, os.path.join(self.path, name), self._description)
        self._index += 1

    def flush(self) -> None:
        """Writes the single file, with everything so far."""
        if self.single_file:
            combined = self._combine(self._items) if self._combine else self._items
            save_json(combined, self.path, self._description)

    def __enter__(self) -> "IterationWriter":
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.flush()


def iterate_from_files(
    paths: Union[str, Iterable[str]],
    load_file: Callable[[str], Iterable],
    allow_dirs: bool = True,
) -> Iterator:
    """The iterations in some files and folders, loaded one file at a time.

    Args:
        paths: The files and folders.
        load_file: Returns the iterations in a file.
        allow_dirs: Whether folders are fine.
    """
    for path in [paths] if isinstance(paths, str) else paths:
        if not os.path.isdir(path):
            yield from load_file(path)
            continue
        if not allow_dirs:
            G_LOGGER.critical(
                f"Could not load '{path}': it is a directory, but a file was expected. To read a "
                "directory of per-iteration files, use the streaming reader (e.g. "
                "--load-inputs/--load-outputs, or "
                "StreamingDataLoader/RunResults.load_streaming)."
            )
        for file in list_iteration_files(path):
            yield from load_file(file)


def iterate_json_list(path: str, description: Optional[str] = None) -> Iterator:
    """The elements of the list in a file, or the one object that it holds instead."""
    contents = load_json(path, description)
    yield from contents if isinstance(contents, list) else [contents]


@mod.export()
def add_json_methods(description: Optional[str] = None) -> Callable:
    """A decorator for classes, which adds `to_json()`, `from_json(src)`, `save(dest)`, `load(src)`.

    Reading something of another type raises `PolygraphyException`.

    Args:
        description: What objects of the class are, for messages of saving and loading.
    """

    def add_json_methods_impl(cls):
        def check_decoded(obj):
            if not isinstance(obj, cls):
                G_LOGGER.critical(
                    f"Provided JSON cannot be decoded into a {cls.__name__}.\n"
                    f"Note: JSON was decoded into a {type(obj)}:\n{obj}"
                )
            return obj

        def _to_json(self) -> str:
            """This object as JSON."""
            return to_json(self)

        def _from_json(src: str):
            return check_decoded(from_json(src))

        def _save(self, dest) -> None:
            """Writes this object into a JSON file, given as a path or a file-like object."""
            save_json(self, dest, description=description)

        def _load(src):
            return check_decoded(load_json(src, description=description))

        _from_json.__doc__ = f"A {cls.__name__} from JSON."
        _load.__doc__ = f"A {cls.__name__} from a JSON file, given as a path or a file-like object."
        for name, method in (("to_json", _to_json), ("save", _save)):
            method.__name__ = name
            setattr(cls, name, method)
        for name, method in (("from_json", _from_json), ("load", _load)):
            method.__name__ = name
            setattr(cls, name, staticmethod(method))
        return cls

    return add_json_methods_impl
