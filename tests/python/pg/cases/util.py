"""Helpers for values, names, files, shapes and text."""

import numpy as np, io, os
from polygraphy import util
from polygraphy.util import util as uu
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = {"": 20, "util": 0}


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(
            f.__name__ if hasattr(f, "__name__") else "",
            a,
            k,
            "=>",
            repr(r) if not hasattr(r, "__next__") else list(r),
        )
    except BaseException as e:
        print(f.__name__, a, k, type(e).__name__, e)


nan = float("nan")
inf = float("inf")
for o in [1, nan, inf, "a", np.float32(nan), np.float64(nan), None, [nan]]:
    T(util.is_nan, o)
    T(util.is_inf, o)
for o in [
    1,
    "a",
    b"a",
    [1],
    (1,),
    {},
    set(),
    range(2),
    np.zeros(2),
    None,
    iter([1]),
    {1: 2}.keys(),
    bytearray(b"a"),
]:
    T(lambda o: util.is_sequence(o), o)
for o in [(1, 2), (1,), [1, 2, 3], 5, (), "ab"]:
    T(util.unpack_args, o, 2)
T(util.unique_list, [3, 1, 3, 2])
T(util.unique_list, [[1], [1]])
T(util.invert_dict, {"a": 1, "b": 1})
for o in [5, {"a": 1}, {"": 3}, {}, None]:
    T(util.value_or_from_dict, o, "a", 7)
    T(util.value_or_from_dict, o, "b")
for n in ["a", "A", "abc", "x", "b"]:
    T(util.find_str_in_iterable, n, ["bb", "ABCd", "abc"])
    T(util.find_str_in_iterable, n, ["bb", "ABCd", "abc"], 5)
    T(util.find_str_in_iterable, n, ("q", "w"), 1)
    T(util.find_str_in_iterable, n, {"q": 1, "w": 2}.keys(), 0)
T(util.check_sequence_contains, [1, 2], [2, 3])
T(
    util.check_sequence_contains,
    ["a"],
    ["b"],
    name="nm",
    items_name="its",
    log_func=G_LOGGER.warning,
)
T(util.check_sequence_contains, ["a"], ["b"], check_missing=False, log_func=G_LOGGER.warning)
T(util.check_sequence_contains, ["a"], ["b"], check_extra=False, log_func=G_LOGGER.error)
T(util.check_sequence_contains, ["a", "b"], ["b", "a"])
T(util.check_sequence_contains, {"a": 1, "b": 2}, {"b"}, check_extra=True, log_func=G_LOGGER.error)
for n in ["a*", "a?", "[a", "a]", "!a", "a"]:
    T(util.contains_wildcard, n)
T(util.match_keys, ["a*", "b", "*"], ["ab", "b", "c"])
T(util.match_keys, ["z", "A*"], ["ab"])
T(util.match_keys, [], ["a"])
for n in ["a/b c.txt", "ä:*?", "-_x y"]:
    T(util.sanitize_filename, n)
T(util.add_file_suffix, "a/b.c", "-d")
T(util.add_file_suffix, "a/b", "-d")
T(util.add_file_suffix, "a.x/b", "_1")
with util.NamedTemporaryFile("w+", prefix="pp", suffix=".ss") as f:
    print(type(f), os.path.basename(f.name)[:2], f.name[-3:], f.mode)
    f.write("hi")
print(os.path.exists(f.name))
os.remove(f.name)
n = util.NamedTemporaryFile()
print(n.mode, os.path.exists(n.name))
os.remove(n.name)
print(sorted(vars(n)))
os.makedirs("lk", exist_ok=True)
with util.LockFile("lk/x") as l:
    print(os.path.exists("lk/x.lock"))
open("p6a", "w")
T(util.find_in_dirs, "p6*", ["nono", "."])
T(util.find_in_dirs, "nono*", ["."])
T(util.sanitize_filename, "a\\b/c")
p = "lk/f.bin"
r = util.save_file(b"123", p, description="stuff")
print(type(r))
print(util.load_file(p, description="stuff"))
r = util.save_file("12ä", p, mode="w")
print(type(r))
print(util.load_file(p, mode="r"))
for m in ["r", "rb", "r+", "w", "wb", "wb+", "a", "ab"]:
    open(p, "wb").write(b"xyz")
    for want in ["r", "rb", "w", "wb"]:
        with open(p, m) as f:
            print(m, want)
            T(lambda: uu.warn_if_wrong_mode(f, want))
with open(p, "wb+") as f:
    r = util.save_file(b"12345", f)
    print(type(r), f.tell())
    print(f.read())
with open(p, "w+") as f:
    r = util.save_file("12345", f, mode="w")
    print(f.tell())
    print(f.read())
T(lambda: type(util.save_file(np.zeros(3), p)))
T(lambda: type(util.save_file(memoryview(b"abc"), p)))
T(uu._get_num_bytes, b"ab")
T(uu._get_num_bytes, "ab")
T(uu._get_num_bytes, 5)

import queue

q = queue.Queue()
util.try_send_on_queue(q, [1])
T(util.try_receive_on_queue, q, 1)
T(util.try_receive_on_queue, q, 0.01)
T(lambda: util.invoke_if_callable(5))
T(lambda: util.invoke_if_callable(lambda x: x, 6))


class C:
    @util.check_called_by("f")
    def f_impl(s):
        print("impl")

    def f(s):
        s.f_impl()


C().f()
C().f_impl()
for d in [1, 0, -1, None, "a", np.int64(3), True, 2.0]:
    T(uu.is_dimension_dynamic, d)
T(util.is_shape_dynamic, (1, -1))
T(util.is_shape_dynamic, ())
T(uu.num_dynamic_dimensions, (1, -1, None))
for a in [
    ((1, 2), (1, 2)),
    ((1, 2), (-1, 2)),
    ((1, 2), (2,)),
    ((1, 3), (1, 2)),
    ((-1, 2), (1, 2)),
    ((-1, 2), (-1, 2)),
]:
    T(util.is_valid_shape_override, *a)
T(util.override_dynamic_shape, (1, -1, None))
T(util.override_dynamic_shape, [1, -1, "a"], 5)
for v in [(), (1, 2, 3), [0, 2], (np.int64(3), 2)]:
    T(util.volume, v)
    T(util.is_empty_shape, v)
a = np.arange(24)
for src, dst in [
    ((2, 3), (3, 2)),
    ((2, 3, 4), (4, 3, 2)),
    ((2, 3, 4), (24,)),
    ((24,), (2, 3, 4)),
    ((2, 3, 4), (-1,)),
    ((2, 3, 4), (4, -1, 2)),
    ((2, 3, 4), (4, 6)),
    ((2, 3, 4), (5, 5)),
    ((2, 3, 4), (2, 3, 4)),
    ((2, 3, 4), [2, 3, 4]),
    ((2, 3, 4), (-1, -1, -1)),
    ((2, 3, 4), (2, -1, -1)),
    ((2, 3, 4), (-1, 6)),
    ((2, 3, 4), (-1, -1)),
    ((1, 1, 24), (24, 1, 1)),
    ((2, 12), (12, -1)),
    ((4, 6), (6, -1)),
    ((2, 12), (24, -1)),
    ((24,), ()),
    ((1,), ()),
    ((), (1,)),
    ((2, 3, 4), (None, 4)),
    ((2, 3, 4), ("N", 3, 4)),
    ((2, 2, 6), (6, 2, 2)),
    ((2, 3, 4), (3, -1, 2)),
    ((2, 3, 4), (-1, 4, 3)),
    ((2, 3, 4), (6, -1, -1)),
    ((2, 3, 4), (6, -1, 4)),
    ((0, 3), (3, 0)),
    ((0, 3), (-1,)),
    ((2, 3), (-1, 3, 1)),
]:
    x = a[: int(np.prod(src))].reshape(src)
    try:
        r = util.try_match_shape(x, dst)
        print(src, dst, r.shape, r.ravel().tolist())
    except BaseException as e:
        print(src, dst, repr(e))
from polygraphy.common import TensorMetadata

m = TensorMetadata().add("x", np.float32, (1, 2)).add("y", np.int8, None)
for i, o in [
    (["x"], ["y"]),
    ([], ["x", "y"]),
    (["x", "y"], []),
    ([], []),
    (["x", "y"], ["x", "y"]),
]:
    print(util.str_from_layer("Node", 3, "nm", "Conv", i, m, o, m) + "|")
T(util.indent_block, "a\nb\n\nc\n", 2)
T(util.indent_block, 5)
T(util.indent_block, "")
T(util.indent_block, "a", 0)
T(util.make_repr, "X", 1, "a", None, [nan, inf], b=None, c={"k": -inf}, d=(1,))
T(util.make_repr, "X")
T(util.make_repr, "X", None)
T(util.make_repr, "X", a=None)
T(
    util.make_repr,
    "X",
    {
        1,
    },
    frozenset([2]),
    1.5,
    np.float32(2),
)


class A:
    pass


x = A()
x.b = A()
x.b.c = 3
x.d = 4
with util.TempAttrChange(x, {"d": 5}):
    print(x.d)
print(x.d)
with util.TempAttrChange(x, {"d": None}):
    print(x.d)
T(lambda: util.getattr_nested(x, "b.c"))
T(lambda: util.try_getattr(x, "b.q.r", 9))
T(lambda: util.try_getattr(x, "b.c"))
T(lambda: util.getattr_nested(x, "b.z"))
import shutil

shutil.rmtree("lk")
print([util.unpack_args(args, 3) for args in ([1], (1,), [1, 2, 3, 4], 5)])
