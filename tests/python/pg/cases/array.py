"""Operations on NumPy arrays and numbers."""

import numpy as np
from polygraphy.util import array as A

rng = np.random.RandomState(0)
arrs = {
    "f32": rng.rand(3, 4).astype(np.float32),
    "f64": rng.rand(5),
    "i32": rng.randint(-5, 5, (2, 3)).astype(np.int32),
    "u8": np.array([0, 1, 5, 5], np.uint8),
    "b": np.array([True, False, True]),
    "sc": np.float32(2.5),
    "0d": np.array(3.0),
    "e": np.zeros((0, 2), np.float32),
    "f16": rng.rand(4).astype(np.float16),
    "nan": np.array([1, np.nan, np.inf, -np.inf]),
    "F": np.asfortranarray(rng.rand(2, 3)),
    "num": 5,
    "flt": 2.5,
    "str": "a",
}


def T(n, *a, **k):
    try:
        r = getattr(A, n)(*a, **k)
        print(
            n,
            type(r).__name__,
            getattr(r, "dtype", None),
            getattr(r, "shape", None),
            np.array2string(r) if isinstance(r, np.ndarray) else r,
        )
    except BaseException as e:
        print(n, type(e).__name__, str(e).splitlines()[0][:100])


one = "is_torch is_numpy is_device_view to_numpy nbytes size is_on_cpu is_on_gpu dtype shape is_contiguous make_contiguous any all max argmax min argmin mean std var median abs isfinite isinf isnan argwhere ravel logical_not sum sqrt histogram".split()
import warnings

warnings.simplefilter("ignore")
for k, a in arrs.items():
    print("##", k)
    for n in one:
        T(n, a)
    for q in (0, 0.5, 0.99):
        T("quantile", a, q)
    T("quantile", a, q=0.3)
    T("histogram", a, (0, 1))
    T("histogram", a, range=(0, 1))
    T("power", a, 2)
    T("transpose", a, None)
    T("reshape", a, (-1,))
    T("pad", a, [(1, 2)], constant_val=7)
    T("pad", a, [(1, 2)] * np.ndim(a))
    T("pad", a, [(1, 2)], [0])
    T("pad", a, [(1, 2)], axes=[0])
    from polygraphy.datatype import DataType

    T("cast", a, DataType.INT32)
    T("cast", a, dtype=DataType.FLOAT16)
    T("view", a, DataType.UINT8, (-1,))
    for n in "equal subtract divide allclose logical_xor logical_and greater multiply".split():
        T(n, a, a)
        T(n, a, 3)
        T(n, a)
    T("where", a > 1 if k not in ("str",) else a, a, a)
    T("mean", a, DataType.FLOAT64)
    T("mean", a, np.float64)
    T("allclose", a, a, 1e-3, 1e-3)
T("unravel_index", 5, (2, 3))
T("unravel_index", 0, ())
T("unravel_index", np.int64(7), (2, 2, 2))
T("transpose", arrs["f32"], [1, 0])
T("transpose", arrs["f32"], axes=(1, 0))
x = np.zeros((2, 3), np.float32)
T("resize_or_reallocate", x, (3, 3))
T("resize_or_reallocate", x[:1], (5,))
T("resize_or_reallocate", np.zeros((2, 3)), (2, 3))
T("topk", np.array([3, 1, 3, 2.0]), 3, 0)
T("topk", np.array([[3, 1], [4, 2]]), 1, 0)
T("equal", np.zeros(2), np.zeros(3))
