"""Tensors of torch, for back ends with these as values."""
import logging

from polygraphy_back_end import (BITS, ELEMENT_TYPES, Failure, NAMES, StringArray, UNSUPPORTED, WireTensor, count_of,
                                 not_importable)


def import_torch():
    global torch
    logging.getLogger("torch.utils.flop_counter").setLevel(logging.ERROR)  # it warns that it cannot count for triton
    try:
        import torch
    except Exception as error:
        raise not_importable("torch", error) from None
    return torch


def dtype_name(dtype):
    return str(dtype).replace("torch.", "")


def torch_dtype(name, what):
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise Failure("%s: torch %s has no type %s" % (what, torch.__version__, name), status=UNSUPPORTED)
    return dtype


class Written(WireTensor):
    """A tensor of torch, on whatever device, that is copied once: into the memory of outputs."""

    def __init__(self, tensor):
        name = dtype_name(tensor.dtype)
        if name not in ELEMENT_TYPES or BITS[ELEMENT_TYPES[name][0]] < 8:
            raise Failure("ONNX has no type for a tensor of type %s" % tensor.dtype, status=UNSUPPORTED)
        super().__init__(ELEMENT_TYPES[name][0], tuple(tensor.shape), None)
        self.tensor = tensor

    def size(self):
        return self.tensor.numel() * self.tensor.element_size()

    def write(self, view):
        target = torch.frombuffer(view, dtype=self.tensor.dtype, count=self.tensor.numel())
        target.view(self.tensor.shape).copy_(self.tensor)


def dense(value):
    if not isinstance(value, torch.Tensor):
        return torch.tensor(value)
    value = value.detach()
    if value.is_quantized:
        value = value.dequantize()
    return value.to_dense() if value.layout != torch.strided else value


class TensorValues:
    """How values travel."""

    @staticmethod
    def to_value(tensor):
        if isinstance(tensor, StringArray):
            return tensor
        if BITS[tensor.dtype] < 8:
            raise Failure("torch does not support tensors of %s" % NAMES[tensor.dtype], status=UNSUPPORTED)
        dtype, count = torch_dtype(NAMES[tensor.dtype], "an input"), count_of(tensor.shape)
        if count == 0:
            return torch.empty(tensor.shape, dtype=dtype)
        return torch.frombuffer(tensor.data, dtype=dtype, count=count).view(tensor.shape)

    @staticmethod
    def to_wire(value):
        return None if value is None else Written(value)
