"""Operations on tensors of PyTorch, alone and with arrays of NumPy."""

import warnings

import numpy as np
import torch
from polygraphy.datatype import DataType
from polygraphy.util import array as A

warnings.simplefilter("ignore")
torch.manual_seed(0)
tensors = {
    "f32": torch.rand(3, 4),
    "f64": torch.rand(5, dtype=torch.float64),
    "f16": torch.tensor([0.5, 1.5, -2, 4, 8]).half(),
    "bf16": torch.tensor([0.5, 1.5, -2, 4, 8]).bfloat16(),
    "i64": torch.randint(-5, 5, (2, 3)),
    "i32": torch.randint(-5, 5, (2, 3), dtype=torch.int32),
    "i8": torch.tensor([-128, 127, 0], dtype=torch.int8),
    "u8": torch.tensor([0, 1, 5, 5], dtype=torch.uint8),
    "bool": torch.tensor([True, False, True]),
    "0d": torch.tensor(3.0),
    "empty": torch.zeros(0, 2),
    "nan": torch.tensor([1, float("nan"), float("inf"), -float("inf")]),
    "view": torch.arange(12.0).reshape(3, 4).t(),
    "even": torch.tensor([4.0, 1.0, 3.0, 2.0]),
}


def show(value) -> str:
    """A value as text, tensors of one element as the number in them."""
    if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size):
        return f"tuple {[show(v) for v in value]}"
    if isinstance(value, torch.Tensor) and value.ndim == 0:
        value = value.item()
    if isinstance(value, torch.Tensor):
        return f"{value.dtype} {value.tolist()}"
    return str(value)


def T(name, *args, **kwargs):
    try:
        print(name, show(getattr(A, name)(*args, **kwargs)))
    except BaseException as e:
        print(name, type(e).__name__, (str(e).splitlines() or [""])[0][:100])


ONE = """is_torch is_numpy is_device_view to_torch to_numpy nbytes size is_on_cpu is_on_gpu dtype shape
is_contiguous make_contiguous any all max argmax min argmin abs isfinite isinf isnan argwhere ravel logical_not sum
sqrt""".split()
TWO = "equal subtract divide allclose logical_xor logical_and greater multiply".split()

for key, tensor in tensors.items():
    print("##", key)
    for name in ONE:
        T(name, tensor)
    # Of other types, the original's statistics are of these types, as far as there are any.
    if key in ("f32", "f64", "0d", "view", "even"):
        for name in "mean median".split():
            T(name, tensor)
        for q in (0, 0.5, 0.99):
            T("quantile", tensor, q)
        T("quantile", tensor, q=0.3)
        T("topk", tensor, 2, 0)
        T("mean", tensor, DataType.FLOAT64)
        T("pad", tensor, [(2, 2)] * tensor.ndim)
        T("pad", tensor, [(1, 1)], constant_val=7)
        T("pad", tensor, [(1, 1)], [0])
        T("pad", tensor, [(1, 1)], axes=[0])
    if tensor.dtype == torch.float32 and key != "nan":
        T("histogram", tensor)
        T("histogram", tensor, (0, 1))
        T("histogram", tensor, range=(0, 1))
    T("power", tensor, 2)
    T("reshape", tensor, (-1,))
    T("cast", tensor, DataType.INT32)
    T("cast", tensor, dtype=DataType.FLOAT16)
    T("cast", tensor, DataType.BFLOAT16)
    T("cast", tensor, DataType.UINT16)
    T("view", tensor, DataType.UINT8, (-1,))
    T("allclose", tensor, tensor, 1e-3, 1e-3)
    T("where", tensor == tensor, tensor, tensor)
    for name in TWO:
        T(name, tensor, tensor)
        T(name, tensor, 3)
        T(name, tensor)
        if key != "bf16":
            T(name, tensor, tensor.numpy())
            T(name, tensor.numpy(), tensor)

T("transpose", tensors["f32"], [1, 0])
T("transpose", tensors["f32"], axes=(1, 0))
T("resize_or_reallocate", torch.zeros(2, 3), (1, 3))
T("resize_or_reallocate", torch.zeros(2, 3), (2, 3))
print(A.resize_or_reallocate(torch.zeros(2, 3), (4, 5)).shape)
T("topk", torch.tensor([3, 1, 4, 2.0]), 3, 0)
T("topk", torch.tensor([[3, 1], [4, 2]]), 1, 1)
T("topk", torch.tensor([[3, 1], [4, 2]]), 5, 0)
T("equal", torch.zeros(2), torch.zeros(3))
T("equal", torch.zeros(2), torch.zeros(2, dtype=torch.float64))
T("to_torch", 3)
T("to_torch", 2.5)
T("to_torch", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
T("to_torch", np.zeros((0, 2), np.float32))
T("to_torch", np.array(["a"]))
T("to_torch", np.array([1, 2], np.uint16))
T("to_numpy", torch.ones(2, requires_grad=True))
T("pad", torch.ones(1, 1, 3), [(1, 1)], axes=[2], mode="reflect")
T("where", torch.tensor([True, False]), np.ones(2, np.float32), torch.zeros(2))
shared = np.zeros(2, np.float32)
A.to_torch(shared)[0] = 5
print(shared, A.data_ptr(A.to_torch(shared)) == shared.ctypes.data)
