"""Memory and streams on a GPU, which is a double."""

import warnings

import cudart_double
import numpy as np
from polygraphy import cuda, util
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *_: print(category.__name__, message)
G_LOGGER.module_severity = G_LOGGER.VERBOSE


def show(f):
    try:
        text = repr(f())
    except Exception as err:
        text = f"{type(err).__name__}: {err}"
    # Addresses differ; arguments are shown by number.
    print("".join("N" if word.isdigit() and len(word) > 9 else word for word in split(text)))
    print("   ", cudart_double.calls(), cudart_double.live())


def split(text):
    import re

    return re.split(r"(\d+)", text)


# Functions
w = cuda.wrapper()
show(lambda: (type(w).__name__, w is cuda.wrapper(), cuda.cuda.G_CUDA is w, type(w.handle)))
show(lambda: w.check(0))
show(lambda: w.check(3))
p = w.malloc(16)
show(lambda: type(p))
show(lambda: w.malloc(0))
show(lambda: w.malloc(3 << 30) and None)
a, b = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
kind = cuda.MemcpyKind
show(lambda: [getattr(kind, name) for name in dir(kind) if name[0] != "_"])
show(lambda: w.memcpy(p, a.ctypes.data, 16, kind.HostToDevice))
show(lambda: w.memcpy(dst=b.ctypes.data, src=p, nbytes=16, kind=kind.DeviceToHost))
show(lambda: b)
s = w.create_stream()
show(lambda: type(s))
show(lambda: w.memcpy(p, a.ctypes.data, 16, kind.HostToDevice, s))
show(lambda: w.memcpy(p, p, 16, kind.Default, stream_ptr=0))
show(lambda: w.stream_synchronize(s))
show(lambda: w.destroy_stream(s))
show(lambda: w.destroy_stream(s))
show(lambda: w.free(p))
show(lambda: w.free(p))
show(lambda: w.free(0))
for call in (lambda: w.malloc(4), lambda: w.create_stream(), lambda: cuda.DeviceArray((3,))):
    cudart_double.fail_next(2)
    show(call)
show(lambda: (cuda.cuda.void_ptr(), cuda.cuda.void_ptr(4), cuda.cuda.void_ptr(val=None)))

# Streams
with cuda.Stream() as stream:
    show(lambda: (type(stream.ptr), stream.synchronize()))
    show(lambda: cuda.cuda.try_get_stream_handle(stream) == stream.ptr)
show(lambda: cuda.cuda.try_get_stream_handle(None))
stream = cuda.Stream()
show(lambda: stream.free())
show(lambda: stream.handle)

# Arrays
for dtype in (None, np.float64, DataType.BFLOAT16, DataType.FLOAT8E4M3FN, "float32", np.bool_, int):
    for shape in (None, (3,), (2, 3), (0, 2), [2, 2]):
        with cuda.DeviceArray(shape, dtype) as d:
            show(lambda: (d, str(d)[: str(d).index("ptr")], d.shape, d.nbytes, d.itemsize))
            show(lambda: (d.allocated_nbytes, bool(d.ptr), d.dtype))
d = cuda.DeviceArray.raw((5,))
show(lambda: (d, d.nbytes))
for shape in ((4,), (6,), (2, 3), (7,), (), (0, 4)):
    show(lambda: d.resize(shape) is d)
    show(lambda: (d.shape, d.allocated_nbytes))
show(lambda: d.free())
show(lambda: (d.shape, d.allocated_nbytes, d.ptr))
show(lambda: d.free())
show(lambda: d.resize((1, 2)))
d.free()

# Copies
d = cuda.DeviceArray((2, 3))
a = np.arange(6, dtype=np.float32).reshape(2, 3)
show(lambda: d.copy_from(a) is d)
show(lambda: d.numpy())
b = np.zeros((2, 3), np.float32)
show(lambda: d.copy_to(b) is b)
with cuda.Stream() as stream:
    show(lambda: d.copy_from(a, stream))
    show(lambda: d.copy_to(b, stream=stream))
for host in (
    a[0],
    np.zeros((3, 3), np.float32),
    a.astype(np.int32),
    a.astype(np.float64),
    a.astype(np.int8),
    np.asfortranarray(a),
    np.zeros((4, 6), np.float32)[::2, ::2],
    np.zeros((0, 3), np.float32),
    np.zeros((7,), np.float32),
    [1, 2],
    None,
):
    show(lambda: d.copy_from(host))
    show(lambda: d.copy_to(np.copy(host, order="A") if host is not None else None) is None)
with cuda.DeviceArray((0, 3)) as empty:
    show(lambda: empty.copy_from(np.zeros((0, 3), np.float32)))
    show(lambda: empty.copy_from(a))
    show(lambda: (empty.numpy(), empty.copy_to(np.zeros((5, 3), np.int8)).shape))
with cuda.DeviceArray(()) as scalar:
    show(lambda: scalar.copy_from(np.array(3, np.float32)).numpy())

# Views
d.copy_from(a)
v = d.view()
show(lambda: (v, type(v), v.shape, v.nbytes, v.ptr == d.ptr, v.numpy()))
show(lambda: d.view((3, 2)).numpy())
show(lambda: d.view(dtype=np.int32).numpy())
show(lambda: d.view(shape=(24,), dtype=np.uint8))
show(lambda: d.view((3,), np.float64))
show(lambda: d.view((4,), np.float64))
show(lambda: d.view(dtype=DataType.FLOAT64))
show(lambda: d.view((2, 3), DataType.FLOAT16))
x = cuda.DeviceView(d.ptr, (2,), np.float32)
show(lambda: (x, str(x)[:40], x.numpy()))
x.dtype = np.int8
x.shape = (4,)
show(lambda: (x.nbytes, x.itemsize, x.numpy()))
show(lambda: cuda.DeviceView(d.ptr, (2,), None))
show(lambda: cuda.DeviceView("p", (2,), np.int8))
show(lambda: cuda.DeviceView(d.ptr, (3,), DataType.BFLOAT16).numpy())
show(lambda: cuda.DeviceView(d.ptr, (3,), DataType.BFLOAT16).copy_to(np.zeros(3, np.uint16)))
show(lambda: (util.array.nbytes(d), util.array.is_device_view(d), util.array.is_on_gpu(v)))
show(lambda: util.array.view(d, DataType.INT8, (24,)))
show(lambda: util.array.resize_or_reallocate(d, (9,)).shape)

# A failure leaves an array as it was.
cudart_double.fail_next(2)
show(lambda: d.resize((100,)))
show(lambda: (d.shape, d.allocated_nbytes))
show(lambda: d.free())
