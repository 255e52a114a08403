"""Arrays within files of JSON, written and read without their base64 text in memory.

The text around the arrays is as always `json`'s; in place of each large array it has a token while
it is encoded or decoded. The token is one that the rest of the text does not have.
"""

from __future__ import annotations

import io
import math
import os
import sys
from typing import Any, List, NamedTuple, Optional, Tuple

from polygraphy.mod._lazy_modules import np

LEAST_BYTES = 1 << 16
"""int: Arrays of fewer bytes are base64 in the text like everything else"""

_BLOCK = 1 << 18
# How `json.dumps` begins the text of a .npy file; unescaped quotes are in no other place.
_MARK = b'"array": "k05VTVBZAQ'
_TEXT_AT = len(b'"array": "')
# Magic and header of version 1: at most this many characters of base64, and usually 172.
_MOST_HEADER_CHARS = (10 + (1 << 16)) * 4 // 3 + 4


def header_of(array) -> bytes:
    """The header of an array's data in a .npy file."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, np.lib.format.header_data_from_array_1_0(array))
    return stream.getvalue()


def data_of(array):
    """The elements of an array in the order in which a .npy file has them."""
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        array = array.T
    return np.ascontiguousarray(array).reshape(-1).view("u1")


class ArrayTokens:
    """Arrays that are written behind the text, and the tokens in their places."""

    def __init__(self):
        self._nonce = os.urandom(16).hex()
        self._arrays: list = []

    @staticmethod
    def takes(obj: Any) -> bool:
        """Whether something is an array that goes into the file without becoming text."""
        if "numpy" not in sys.modules or type(obj) is not np.ndarray:
            return False
        return obj.nbytes >= LEAST_BYTES and not obj.dtype.hasobject

    def add(self, array) -> str:
        """The token for one more array."""
        self._arrays.append(array)
        return f"{self._nonce}:{len(self._arrays) - 1}:"

    def write(self, text: str, file) -> None:
        """Writes text with tokens into a binary file."""
        from polygraphy_native import _native

        first, *rest = text.split(self._nonce + ":")
        pieces: list = [first.encode()]
        for part in rest:
            number, tail = part.split(":", 1)
            array = self._arrays[int(number)]
            pieces += [(header_of(array), data_of(array)), tail.encode()]
        file.flush()
        _native.write_pieces(file.fileno(), pieces)


class _StoredArray(NamedTuple):
    """Where the base64 text of a .npy file lies, and what its header says."""

    offset: int
    length: int
    header_size: int
    dtype: Any
    shape: Tuple[int, ...]
    is_fortran: bool


class ArrayFile:
    """A file of JSON with large arrays, open while it is decoded.

    Attributes:
        text: The JSON, with tokens for the large arrays.
    """

    def __init__(self, file):
        self._file = file
        self._arrays: List[_StoredArray] = []
        parts = self._parts()
        self._prefix = self._token_prefix(parts)
        self.text = self._prefix.encode().join(parts).decode()

    def is_token(self, value: Any) -> bool:
        return isinstance(value, str) and bool(self._arrays) and value.startswith(self._prefix)

    def array(self, token: str):
        """The array that a token stands for.

        Raises:
            ValueError: If its text is not base64, or the file is cut short.
        """
        from polygraphy_native import _native

        stored = self._stored(token)
        flat = np.empty(math.prod(stored.shape), stored.dtype)
        _native.read_base64(
            self._file.fileno(), stored.offset, stored.length, stored.header_size, flat.view("u1")
        )
        return flat.reshape(stored.shape, order="F" if stored.is_fortran else "C")

    def original_text(self, token: str) -> str:
        """The contents of the file in the place of a token."""
        stored = self._stored(token)
        return os.pread(self._file.fileno(), stored.length, stored.offset).decode()

    def _stored(self, token: str) -> _StoredArray:
        return self._arrays[int(token[len(self._prefix) :])]

    def _token_prefix(self, parts: List[bytes]) -> str:
        number = 0
        while any(f"@{number}:".encode() in part for part in parts):
            number += 1
        return f"@{number}:"

    def _parts(self) -> List[bytes]:
        """The text between large arrays; the number of each is the beginning of what follows it."""
        fd = self._file.fileno()
        parts, window, position = [b""], b"", 0
        while True:
            chunk = os.pread(fd, _BLOCK, position)
            window += chunk
            position += len(chunk)
            at = window.find(_MARK)
            if at < 0:
                kept = window[-len(_MARK) + 1 :] if chunk else b""
                parts[-1] += window[: len(window) - len(kept)]
                window = kept
                if not chunk:
                    return parts
                continue
            start = at + _TEXT_AT
            parts[-1] += window[:start]
            offset = position - len(window) + start
            stored = self._stored_at(fd, offset)
            if stored is None:
                window = window[start:]
                continue
            parts.append(str(len(self._arrays)).encode())
            self._arrays.append(stored)
            window, position = b"", offset + stored.length

    @staticmethod
    def _stored_at(fd: int, offset: int) -> Optional[_StoredArray]:
        """The array that begins there, if it is large and its text ends where the header says."""
        import binascii

        text = os.pread(fd, 256, offset)
        try:
            head = binascii.a2b_base64(text[: len(text) // 4 * 4])
            header_size = 10 + int.from_bytes(head[8:10], "little")
            if len(head) < header_size:
                text = os.pread(fd, _MOST_HEADER_CHARS // 4 * 4, offset)
                head = binascii.a2b_base64(text[: (header_size + 2) // 3 * 4])
            stream = io.BytesIO(head)
            np.lib.format.read_magic(stream)
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
        except Exception:
            # NumPy raises more than ValueError for invalid headers; the decoder gives the reason.
            return None
        nbytes = math.prod(shape) * dtype.itemsize
        length = (header_size + nbytes + 2) // 3 * 4
        if dtype.hasobject or nbytes < LEAST_BYTES or os.pread(fd, 1, offset + length) != b'"':
            return None
        return _StoredArray(offset, length, header_size, dtype, shape, is_fortran)
