"""Models with many bytes of values: read and written without a second copy of these.

Messages of protobuf are parsed from, and encoded into, one piece of memory. Here that piece has the
structure only, and values go between a file and their messages one by one.
"""

from __future__ import annotations

import functools
import math
from typing import List, Optional, Tuple

from polygraphy.datatype.datatype import element_types
from polygraphy.mod._lazy_modules import onnx
from polygraphy.util._replaced_file import replaced_file

LEAST_MODEL_BYTES = 64 << 20
"""int: Files and models below this go through memory whole"""
LEAST_VALUE_BYTES = 1 << 20
"""int: Values of a tensor below this are part of the structure"""


def load(native, path: str) -> Optional[onnx.ModelProto]:
    """The model in a file in the binary format; None where that is changed meanwhile.

    Values in other files stay there.
    """
    structure, values = native.split_model(path, LEAST_VALUE_BYTES)
    model = onnx.ModelProto.FromString(structure)
    with open(path, "rb", buffering=0) as file:
        for number, offset, length in values:
            file.seek(offset)
            data = file.read(length)
            while len(data) < length:  # a read has a limit of 2 GiB
                more = file.read(length - len(data))
                if not more:
                    return None
                data += more
            model.graph.initializer[number].raw_data = data
    return model


def save(native, model: onnx.ModelProto, path: str) -> bool:
    """Writes a model in the binary format, atomically.

    Returns:
        False if nothing was written, because a tensor has more or fewer values than it says.
    """
    structure, large = _without_values(model)
    places = [(number, nbytes) for number, nbytes in large]
    pieces = native.join_model(structure.SerializeToString(), places)
    try:
        with replaced_file(path, "wb") as file:
            file.write(pieces[0])
            for (number, nbytes), piece in zip(large, pieces[1:]):
                data = model.graph.initializer[number].raw_data
                if len(data) != nbytes:
                    raise _WrongSize()
                file.write(data)
                file.write(piece)
    except _WrongSize:
        return False
    return True


def is_large(model: onnx.ModelProto) -> bool:
    return sum(nbytes for _, nbytes in _numbers_and_bytes(model)) >= LEAST_MODEL_BYTES


def byte_size(model: onnx.ModelProto) -> int:
    """About the bytes of the encoded model. The message would encode itself to count them."""
    if not is_large(model):
        return model.ByteSize()
    structure, large = _without_values(model)
    return structure.ByteSize() + sum(nbytes for _, nbytes in large)


class _WrongSize(Exception):
    pass


def _numbers_and_bytes(model: onnx.ModelProto) -> List[Tuple[int, int]]:
    """Numbers of initializers and bytes of their values, by types and shapes."""
    found = []
    for number, tensor in enumerate(model.graph.initializer):
        nbytes = _raw_bytes(tensor)
        if nbytes >= LEAST_VALUE_BYTES and tensor.HasField("raw_data"):
            found.append((number, nbytes))
    return found


def _raw_bytes(tensor: onnx.TensorProto) -> int:
    """The bytes that raw_data should have; looking at the field itself would copy it."""
    return (math.prod(tensor.dims) * _element_bits(tensor.data_type) + 7) // 8


@functools.lru_cache(maxsize=None)
def _element_bits(data_type: int) -> int:
    """0 for types that this version of ONNX does not know."""
    names = {number: name for name, number in onnx.TensorProto.DataType.items()}
    bits = {onnx_name: bits for _, onnx_name, _, _, bits in element_types().values()}
    return bits.get(names.get(data_type, ""), 0)


def _without_values(model: onnx.ModelProto) -> Tuple[onnx.ModelProto, List[Tuple[int, int]]]:
    """The structure of a model, and the large values that are left out."""
    from onnx_graphsurgeon import _large_values

    large = _numbers_and_bytes(model)
    left_out = {number for number, _ in large}
    structure = _large_values.with_initializers(
        model,
        (
            _without_raw_data(tensor) if number in left_out else tensor
            for number, tensor in enumerate(model.graph.initializer)
        ),
    )
    return structure, large


def _without_raw_data(tensor: onnx.TensorProto) -> onnx.TensorProto:
    from onnx_graphsurgeon import _large_values

    bare = onnx.TensorProto()
    # Listing the fields would copy the values.
    for field in onnx.TensorProto.DESCRIPTOR.fields:
        if field.name != "raw_data" and _is_set(tensor, field):
            _large_values.set_field(bare, field.name, getattr(tensor, field.name))
    return bare


def _is_set(message, field) -> bool:
    try:
        return message.HasField(field.name)
    except ValueError:  # of repeated fields
        return len(getattr(message, field.name)) > 0
