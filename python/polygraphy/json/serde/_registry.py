"""The types that are written and read, and their encoder and decoder.

An object of a registered type is written as a dictionary that names the type under
`constants.TYPE_MARKER`. Arrays are base64 of the contents of a `.npy` file.
"""

from __future__ import annotations

import functools
import importlib
import io
import json
import math
from typing import Any, Callable, Optional, Union

from polygraphy import constants, mod
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch

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
    """The name of a type in files."""
    return typ if isinstance(typ, str) else typ.__name__


class BaseCustomImpl:
    """The common part of encoder and decoder: a registry of functions."""

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
                    # The other fields belong to the type.
                    dct.pop(constants.TYPE_MARKER, None)
                    dct.pop(legacy_str_from_type(typ), None)
                    return func(dct)

                keys = [legacy_str_from_type(typ), str_from_type(typ), alias]
                for key in filter(None, keys):
                    add(key, wrapped)
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
            # Values may be arrays, for which `==` has more than one answer.
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


def register_fields(cls: type, *fields: str) -> None:
    """Makes objects of a class be written as their attributes, and be made of these again.

    Args:
        cls: The class.
        fields: Attributes that are arguments of the constructor, too.
    """
    Encoder.register(cls)(lambda obj: {field: getattr(obj, field) for field in fields})
    Decoder.register(cls)(lambda dct: cls(**{name: dct[name] for name in fields if name in dct}))


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
        import base64

        text = dct["array"]
        # Base64 of the first bytes of an archive or a file of one array; older files hold the
        # bytes themselves, as the characters of the same number.
        raw = not text.startswith(("k05VTVBZ", "UEsD", "UEsF"))
        data = text.encode("latin-1") if raw else base64.b64decode(text, validate=True)
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
