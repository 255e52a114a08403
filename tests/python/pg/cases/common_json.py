"""Metadata, typed containers, JSON of registered types."""

from polygraphy.common import TensorMetadata, FormattedArray
from polygraphy.common.struct import BoundedShape, MetadataTuple
from polygraphy.common.interface import TypedDict, TypedList
from polygraphy.datatype import DataType
from polygraphy.json import *
from polygraphy.json import serde
from polygraphy.logger import G_LOGGER
import numpy as np, copy, io, inspect


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, e)


m = TensorMetadata()
T(lambda: m.add("x", np.float32, (1, 2)))
m.add("y", DataType.INT8, None).add("z", None, None).add(
    "w", np.int64, ("N", -1, None), min_shape=[1, 2, 3], max_shape=[4, 5, 6], docstring="dd"
).add("v", "weird", [3])
print(m)
print(type(m["x"]), type(m["x"].shape), m["x"].shape, m["w"].shape.min, m["w"].shape.max)
for k in m:
    print(str(m[k]))
print(
    str(m["w"].shape),
)
T(repr, m["w"].shape)
T(repr, m["x"])
T(repr, m["w"])
d, s = m["x"]
print(repr(d), s)
print(
    m["x"] == m["x"],
    m["x"] == MetadataTuple(np.float32, (1, 2), "o"),
    m["x"] == MetadataTuple(np.float32, [1, 2], "o"),
    m["x"] == MetadataTuple(np.float32, [1, 3], None),
)
T(lambda: BoundedShape([1, 2]) == [1, 2])
T(lambda: BoundedShape((1, 2), min=[1, 2]))
T(lambda: BoundedShape(None))
T(lambda: BoundedShape((1, 2), min=[1, 2], max=(3, 4)).min)
T(lambda: BoundedShape((1,)) == (1,))
T(lambda: str(BoundedShape((1, -1), min=(1, 1))))
m2 = TensorMetadata.from_feed_dict({"a": np.zeros((2, 3), np.float16)})
print(m2)
T(repr, m2)
T(lambda: m.__setitem__("q", 5))
T(lambda: m.__setitem__(5, 5))
T(lambda: m["nope"])
T(lambda: "x" in m)
T(lambda: len(m))
T(lambda: list(m.items())[0])
T(lambda: list(m.keys()))
T(lambda: m == copy.copy(m))
T(lambda: m.get("x"))
T(lambda: m.get("nope", 4))
T(lambda: m.get("nope"))
T(lambda: m.update({"k": 5}))
T(lambda: (m.update({"k": MetadataTuple(None, None, None)}), len(m))[1])
T(lambda: hash(m))
T(lambda: list(m.values())[-1])
T(lambda: TensorMetadata({"a": 5}))
mt = MetadataTuple(np.int8, (1,), None)
mt.dtype = np.float32
print(repr(mt.dtype))
mt.dtype = None
print(mt.dtype, str(mt), vars(mt).keys())
print(TensorMetadata.__mro__)
TL = TypedList(lambda: int)


class L(TL):
    pass


T(lambda: L())
T(lambda: L([1, "a"]))
l = L([1, 2])
T(lambda: l)
print(l)
T(lambda: l.append("x"))
l.append(5)
l.extend([6])
T(lambda: l.extend(["a"]))
T(lambda: l[0])
T(lambda: l[1:])
T(lambda: len(l))
T(lambda: l == L([1, 2, 5, 6]))
T(lambda: 5 in l)
T(lambda: l.__setitem__(0, "a"))
l[0] = 9
T(lambda: list(l))
T(lambda: l + [3])
T(lambda: copy.copy(l))
T(lambda: copy.deepcopy(l))
T(lambda: l.insert(0, 3))
T(lambda: l.pop())
T(lambda: hash(l))
print(vars(l).keys(), [x for x in dir(L) if not x.startswith("__")])
TD = TypedDict(lambda: str, lambda: int)


class D(TD):
    pass


d = D({"a": 1})
T(lambda: d)
print(d)
T(lambda: D({1: 1}))
T(lambda: D({"a": "b"}))
T(lambda: d.pop("a"))
T(lambda: d.get("a"))
print(vars(d).keys(), [x for x in dir(D) if not x.startswith("__")])
T(lambda: d == D({"a": 1}))
T(lambda: d.__delitem__("a"))
T(lambda: d.setdefault("q", 4))
from polygraphy import config

config.INTERNAL_CORRECTNESS_CHECKS = True
T(lambda: D({1: 1}))
T(lambda: L(["a"]))
T(lambda: m.__setitem__("q", 5))
config.INTERNAL_CORRECTNESS_CHECKS = False
# json
for o in [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    {"a": [1, 2.5, None, True, "ä\u20ac"], "b": float("nan"), "c": float("inf")},
    [{"x": np.zeros((), np.int8)}],
    FormattedArray(np.zeros(3, np.uint8), (1, 2)),
    (1, 2),
    {1: 2},
    np.asfortranarray(np.arange(6).reshape(2, 3)),
    np.array(["ab", "c"]),
    np.float32(3),
    np.int64(3),
    np.bool_(True),
    DataType.INT8,
    m,
    b"ab",
    {
        1,
    },
    np.arange(3, dtype=">i4"),
    np.zeros((0, 3)),
    np.arange(10)[::2],
    object(),
]:
    try:
        s = to_json(o)
        print(s)
        r = from_json(s)
        print(
            type(r),
            r,
            getattr(r, "dtype", None),
            getattr(r, "flags", None) is not None
            and (r.flags.writeable, r.flags.owndata, r.flags.f_contiguous),
        )
    except BaseException as e:
        print(type(e).__name__, e)
for s in [
    '{"polygraphy_class":"Nope"}',
    '{"polygraphy_class":"ndarray","array":""}',
    '{"polygraphy_class":"ndarray"}',
    "[1",
    "",
    '{"polygraphy_class":5}',
    '{"a":1,"b":{"c":2}}',
    "NaN",
    '{"__polygraphy_encoded_Nope":"polygraphy_serialized_json_type"}',
    '{"__polygraphy_encoded_Nope":"x"}',
]:
    T(from_json, s)
b = io.BytesIO()
np.save(b, np.arange(3))
T(
    from_json,
    __import__("json").dumps(
        {
            "__polygraphy_encoded_ndarray": "polygraphy_serialized_json_type",
            "array": b.getvalue().decode("latin-1"),
        }
    ),
)
b = io.BytesIO()
np.savez(b, np.arange(4))
T(
    from_json,
    __import__("json").dumps(
        {
            "__polygraphy_encoded_ndarray": "polygraphy_serialized_json_type",
            "array": b.getvalue().decode("latin-1"),
        }
    ),
)
import base64

T(
    from_json,
    __import__("json").dumps(
        {"polygraphy_class": "ndarray", "array": base64.b64encode(b.getvalue()).decode()}
    ),
)
b = io.BytesIO()
np.savez(b)
T(
    from_json,
    __import__("json").dumps(
        {"polygraphy_class": "ndarray", "array": base64.b64encode(b.getvalue()).decode()}
    ),
)


class U:
    def __init__(s, x):
        s.x = x


@Encoder.register(U)
def encode(u):
    return {"x": u.x}


@Decoder.register(U)
def decode(d):
    return U(d["x"])


print(to_json(U(3)), from_json(to_json([U(3)]))[0].x)


@add_json_methods("thing")
class V:
    def __init__(s, x):
        s.x = x


@Encoder.register(V, alias="OldV")
def encode(u):
    return {"x": u.x}


@Decoder.register(V, alias="OldV")
def decode(d):
    return V(d["x"])


v = V([1])
s = v.to_json()
print(s)
print(V.from_json(s).x)
print(from_json(s.replace('"V"', '"OldV"')).x)
T(V.from_json, "[1]")
v.save("v.json")
print(V.load("v.json").x)
print(repr(open("v.json").read()))
save_json([1], "v.json", "desc")
print(load_json("v.json", "desc"))
T(V.load, "v.json")


@add_json_methods()
class W:
    pass


T(lambda: W().save("v.json"))
T(lambda: W().to_json())
print(
    serde.NUMPY_REGISTRATION_SUCCESS,
    serde.COMMON_REGISTRATION_SUCCESS,
    serde.str_from_type(V),
    serde.legacy_str_from_type(V),
    serde.str_from_type(np.ndarray),
)
print(serde.is_single_file("a"), serde.is_single_file("a.json"), serde.is_single_file("a/b.c/d"))
import os, shutil

shutil.rmtree("itd", ignore_errors=True)
with serde.IterationWriter("itd/x") as w:
    w.append({"a": 1})
    w.append([2])
print(sorted(os.listdir("itd/x")), open("itd/x/0000000000.json").read())
T(lambda: serde.IterationWriter("itd/x"))
with serde.IterationWriter("itd/y.json", description="things") as w:
    w.append({"a": 1})
    print(os.path.exists("itd/y.json"))
    w.append([2])
print(open("itd/y.json").read())
with serde.IterationWriter(
    "itd/z.json", combine=lambda l: {"n": len(l), "l": l}, copy_on_accumulate=True
) as w:
    q = [1]
    w.append(q)
    q.append(2)
    w.append(q)
print(open("itd/z.json").read())
with serde.IterationWriter("itd/e.json") as w:
    pass
print(os.path.exists("itd/e.json"))
with serde.IterationWriter("itd/e") as w:
    pass
print(os.path.exists("itd/e"))
open("itd/ff", "w").write("")
T(lambda: serde.IterationWriter("itd/ff"))
try:
    with serde.IterationWriter("itd/g.json") as w:
        w.append(1)
        raise ValueError("x")
except ValueError:
    print(os.path.exists("itd/g.json"))
print(list(serde.iterate_from_files(["itd/x", "itd/y.json"], lambda p: iter([p]))))
print(list(serde.iterate_from_files("itd/x", lambda p: iter([p]))))
T(lambda: list(serde.iterate_from_files(["itd/x"], lambda p: [p], allow_dirs=False)))
T(lambda: list(serde.iterate_from_files(["itd/nono"], lambda p: serde.iterate_json_list(p))))
print(
    list(serde.iterate_json_list("itd/y.json")),
    list(serde.iterate_json_list("itd/z.json", "dd")),
    serde.list_iteration_files("itd/x"),
)
w = serde.IterationWriter("itd/n.json")
w.append(1)
w.flush()
print(open("itd/n.json").read())
w.append(2)
w.flush()
print(open("itd/n.json").read())
print(repr(TensorMetadata().add("bounded", np.float32, (1, 2), (1, 2), [3, 4])))
