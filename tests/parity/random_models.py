"""Random models of few nodes and many kinds: opsets 7 to the latest, all element types, If, Loop, Scan, functions,
operators of other domains, sparse constants, optional inputs, odd names, IR versions 3 to 13.

Every shape is known while a model is written, so that nearly all of them run; open dimensions are only declared.
"""
import random

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

INTS = (T.INT64, T.INT32)
NAMES = ("t{}", "node/out_{}", "a.b.{}", "x {}", "ünï{}", "v:{}", "w_float16_{}", "[{}]", "model::t{}")
NP = helper.tensor_dtype_to_np_dtype


class Value:
    def __init__(self, name, dtype, shape, depth, small=False):
        self.name, self.dtype, self.shape, self.depth = name, dtype, tuple(shape), depth
        self.small = small  # sizes of dimensions
        self.open = False  # no shape is declared

    @property
    def rank(self):
        return len(self.shape)


class Scope:
    """A graph or body that is being written."""

    def __init__(self, outer=None):
        self.nodes, self.initializers, self.sparse, self.values, self.constants = [], [], [], [], []
        self.outer = outer
        self.depth = outer.depth + 1 if outer else 0

    def visible(self):
        return self.values + (self.outer.visible() if self.outer else [])


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numpy = np.random.RandomState(seed)
        self.opset = self.pick([7, 8, 9, 10, 11, 12, 13, 13, 14, 15, 16, 17, 17, 18, 19, 20, 21, 22, 23, 24])
        oldest = 3 if self.opset <= 9 else 4
        needed = {15: 8, 19: 9, 21: 10, 23: 11, 24: 12}
        least = max([oldest] + [ir for opset, ir in needed.items() if self.opset >= opset])
        self.ir = self.random.randint(least, 13) if self.opset > 9 or self.chance(0.5) else 3
        self.imports = {"": self.opset}
        self.functions = []
        self.count = 0
        self.style = self.pick(NAMES) if self.chance(0.4) else "t{}"
        self.unnamed = self.chance(0.3)
        self.scope = Scope()

    # --- choices
    def pick(self, items):
        return self.random.choice(list(items))

    def chance(self, p):
        return self.random.random() < p

    def name(self):
        self.count += 1
        return self.style.format(self.count)

    def any(self, wanted=lambda v: True):
        found = [v for v in self.scope.visible() if wanted(v)]
        if not found:
            return None
        return self.pick(found[-8:] if self.chance(0.7) else found)

    def floats(self, wanted=lambda v: True):
        return self.any(lambda v: v.dtype in (T.FLOAT, T.FLOAT, T.DOUBLE, T.FLOAT16)[: 1 if self.chance(0.9) else 4] and wanted(v))

    # --- writing
    def node(self, op, inputs, outputs, domain="", **attributes):
        """`outputs`: (dtype, shape) each; their values."""
        values = [Value(self.name(), dtype, shape, self.scope.depth) for dtype, shape in outputs]
        names = [i.name if isinstance(i, Value) else i for i in inputs]
        self.scope.nodes.append(helper.make_node(
            op, names, [v.name for v in values], "" if self.unnamed else f"n{self.count}", domain=domain, **attributes))
        self.scope.values += values
        return values[0] if len(values) == 1 else values

    def constant(self, array, dtype=None):
        """A weight, a Constant node, or one of the sparse forms."""
        array = np.asarray(array)
        dtype = dtype or helper.np_dtype_to_tensor_dtype(array.dtype)
        way = self.random.random()
        name = self.name()
        value = Value(name, dtype, array.shape, self.scope.depth)
        if self.opset >= 12 and way < 0.12 and array.dtype == np.float32 and array.ndim and array.size:
            flat = array.ravel()
            where = np.flatnonzero(flat)
            sparse = onnx.SparseTensorProto(dims=array.shape)
            sparse.values.CopyFrom(numpy_helper.from_array(flat[where], name))
            sparse.indices.CopyFrom(numpy_helper.from_array(where.astype(np.int64), name + "_indices"))
            if len(where):
                if self.chance(0.5) and self.ir >= 6 and self.scope.depth == 0:
                    self.scope.sparse.append(sparse)
                else:
                    self.scope.nodes.append(helper.make_node("Constant", [], [name], "", sparse_value=sparse))
                return value
        if way < 0.3 and (self.opset >= 12 and array.ndim <= 1 and array.dtype in (np.float32, np.int64)):
            kind = "float" if array.dtype == np.float32 else "int"
            given = {f"value_{kind}s": array.tolist()} if array.ndim else {f"value_{kind}": array.item()}
            if array.size or not array.ndim:
                self.scope.nodes.append(helper.make_node("Constant", [], [name], "", **given))
                return value
        tensor = numpy_helper.from_array(array, name)
        if way < 0.55:
            self.scope.nodes.append(helper.make_node("Constant", [], [name], "", value=tensor))
        elif self.scope.depth == 0 or self.ir >= 4:
            self.scope.initializers.append(tensor)
        else:
            self.scope.nodes.append(helper.make_node("Constant", [], [name], "", value=tensor))
        return value

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def weights(self, shape, dtype=T.FLOAT):
        array = self.numpy.uniform(0.1, 1.5, shape) if dtype in (T.FLOAT, T.DOUBLE, T.FLOAT16) else self.numpy.randint(1, 5, shape)
        array = np.asarray(array).astype(NP(dtype))
        if dtype == T.FLOAT and self.chance(0.3):
            array = np.where(self.numpy.uniform(size=shape) < 0.5, np.float32(0), array)
        return self.constant(array)

    # --- a model
    def model(self):
        inputs, feed = [], {}
        for i in range(self.random.randint(1, 3)):
            dtype = self.pick([T.FLOAT, T.FLOAT, T.FLOAT, T.INT64, T.INT32, T.BOOL, T.UINT8, T.DOUBLE, T.FLOAT16, T.INT8])
            if i == 0:
                dtype = T.FLOAT
            shape = [self.random.randint(1, 4) for _ in range(self.pick([0, 1, 2, 2, 3, 4]) if i else self.pick([2, 3, 4]))]
            v = Value("in" + str(i) if self.chance(0.7) else self.name(), dtype, shape, 0)
            declared = [d if self.chance(0.6) else self.pick(["N", "M", "dim 1", None]) for d in shape]
            seen = {}
            for j, d in enumerate(declared):  # one name, one size
                if isinstance(d, str) and seen.setdefault(d, shape[j]) != shape[j]:
                    declared[j] = None
            inputs.append(helper.make_tensor_value_info(v.name, dtype, declared))
            self.scope.values.append(v)
            feed[v.name] = self.array(dtype, shape)
        self.steps(self.random.randint(3, 14))
        made = [v for v in self.scope.values if v.name not in feed]
        if not made:
            return self.model()
        chosen = {v.name: v for v in [made[-1]] + self.random.sample(made, min(len(made), self.random.randint(0, 3)))}
        outputs = []
        for v in chosen.values():
            shape = v.shape if self.chance(0.6) else [None] * v.rank
            outputs.append(helper.make_tensor_value_info(v.name, v.dtype, shape if not v.open else [None] * v.rank))
        if self.ir < 4:
            inputs += [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in self.scope.initializers]
        graph = helper.make_graph(self.scope.nodes, "g", inputs, outputs, self.scope.initializers,
                                  sparse_initializer=self.scope.sparse)
        model = helper.make_model(graph, ir_version=self.ir, functions=self.functions,
                                  opset_imports=[helper.make_opsetid(d, v) for d, v in self.imports.items()])
        if self.chance(0.3):
            try:
                model = onnx.shape_inference.infer_shapes(model)
            except Exception:  # noqa: BLE001: it is only more to read
                pass
        return model, feed

    def array(self, dtype, shape):
        kind = NP(dtype)
        if dtype in (T.FLOAT, T.DOUBLE, T.FLOAT16):
            return self.numpy.uniform(0.1, 2, shape).astype(kind)
        return np.asarray(self.numpy.randint(0, 2 if dtype == T.BOOL else 5, shape)).astype(kind)

    def steps(self, count):
        ways = [getattr(self, n) for n in dir(self) if n.startswith("make_")]
        for _ in range(count):
            for _ in range(10):
                way = self.pick(ways)
                if self.scope.depth > 1 and way in (self.make_if, self.make_loop, self.make_scan):
                    continue
                scope = self.scope
                lists = (scope.nodes, scope.initializers, scope.sparse, scope.values)
                before = [len(each) for each in lists]
                if way() is not None:
                    break
                for each, length in zip(lists, before):
                    del each[length:]

    # --- kinds of nodes: None where one cannot be made of what is there
    def make_unary(self):
        v = self.floats()
        if not v:
            return None
        ops = ["Neg", "Abs", "Exp", "Relu", "Sigmoid", "Tanh", "Floor", "Ceil", "Identity", "Sqrt", "Reciprocal"]
        if v.dtype == T.FLOAT:
            ops += ["LeakyRelu", "HardSigmoid", "Elu", "Softplus"] + (["Erf", "Sign", "Shrink"] if self.opset >= 9 else [])
            ops += ["Round", "HardSwish"] if self.opset >= 14 else []
            ops += ["Gelu"] if self.opset >= 20 else []
        return self.node(self.pick(ops), [v], [(v.dtype, v.shape)])

    make_unary_too = make_unary

    def partner(self, v):
        other = self.any(lambda o: o.dtype == v.dtype and o.shape == v.shape)
        if other and self.chance(0.4):
            return other
        shape = list(v.shape[self.random.randint(0, v.rank):] if v.rank else [])
        shape = [d if self.chance(0.8) else 1 for d in shape]
        return self.weights(shape, v.dtype)

    def make_binary(self):
        v = self.any(lambda o: o.dtype in (T.FLOAT, T.FLOAT, T.INT64, T.INT32, T.DOUBLE, T.FLOAT16))
        if not v:
            return None
        op = self.pick(["Add", "Sub", "Mul", "Div"] + (["Max", "Min", "Sum"] if self.opset >= 12 and v.dtype == T.FLOAT else []))
        other = self.weights((), v.dtype) if op == "Div" else self.partner(v)
        pair = [v, other] if op == "Div" or self.chance(0.7) else [other, v]
        return self.node(op, pair, [(v.dtype, v.shape)])

    make_binary_too = make_binary

    def make_compare(self):
        v = self.any(lambda o: o.dtype in ((T.FLOAT, T.INT64, T.INT32) if self.opset >= 11 else INTS))
        if not v:
            return None
        ops = ["Equal"] + (["Less", "Greater"] if self.opset >= 9 else []) + (["LessOrEqual", "GreaterOrEqual"] if self.opset >= 12 else [])
        b = self.node(self.pick(ops), [v, self.partner(v)], [(T.BOOL, v.shape)])
        return self.node("Not", [b], [(T.BOOL, v.shape)]) if self.chance(0.3) else b

    def make_where(self):
        c = self.any(lambda o: o.dtype == T.BOOL)
        if self.opset < 9 or not c:
            return None
        v = self.any(lambda o: o.dtype in (T.FLOAT, T.INT64) and o.shape == c.shape)
        dtype = v.dtype if v else T.FLOAT
        return self.node("Where", [c, v or self.weights(c.shape), self.weights(c.shape, dtype)], [(dtype, c.shape)])

    def make_matmul(self):
        v = self.floats(lambda o: o.rank >= 2 and o.dtype == T.FLOAT)
        if not v:
            return None
        n = self.random.randint(1, 4)
        if v.rank == 2 and self.chance(0.4):
            c = ["" if self.opset >= 11 else self.weights((n,))] if self.chance(0.5) else [self.weights((n,))]
            return self.node("Gemm", [v, self.weights((n, v.shape[1])), *[i for i in c if i]], [(T.FLOAT, (v.shape[0], n))], transB=1, alpha=0.5) \
                if self.opset >= 11 or c[0] else None
        return self.node("MatMul", [v, self.weights((v.shape[-1], n))], [(T.FLOAT, (*v.shape[:-1], n))])

    def make_conv(self):
        v = self.floats(lambda o: o.rank == 4 and o.dtype == T.FLOAT)
        if not v:
            return None
        way = self.random.randint(0, 4)
        n, c, h, w = v.shape
        if way == 0:
            m = self.random.randint(1, 3)
            return self.node("Conv", [v, self.weights((m, c, 1, 1))] + ([self.weights((m,))] if self.chance(0.5) else []), [(T.FLOAT, (n, m, h, w))])
        if way == 1:
            return self.node("GlobalAveragePool", [v], [(T.FLOAT, (n, c, 1, 1))])
        if way == 2:
            return self.node("MaxPool", [v], [(T.FLOAT, v.shape)], kernel_shape=[1, 1])
        if way == 3:
            return self.node("BatchNormalization", [v] + [self.weights((c,)) for _ in range(4)], [(T.FLOAT, v.shape)])
        if self.opset < 11:
            return None
        roi = "" if self.opset >= 13 else self.constant(np.zeros(0, np.float32))
        return self.node("Resize", [v, roi, self.constant(np.array([1, 1, 2, 2], np.float32))], [(T.FLOAT, (n, c, 2 * h, 2 * w))], mode="nearest")

    def make_normalize(self):
        v = self.floats(lambda o: o.rank >= 1 and o.dtype == T.FLOAT)
        if not v:
            return None
        if self.opset >= 17 and self.chance(0.5):
            return self.node("LayerNormalization", [v, self.weights((v.shape[-1],))], [(T.FLOAT, v.shape)])
        return self.node(self.pick(["Softmax", "LogSoftmax"]), [v], [(T.FLOAT, v.shape)], axis=v.rank - 1)

    def make_reduce(self):
        v = self.floats(lambda o: o.rank >= 1 and o.dtype == T.FLOAT)
        if not v:
            return None
        axis, keep = self.random.randrange(v.rank), self.random.randint(0, 1)
        shape = [1 if i == axis else d for i, d in enumerate(v.shape) if i != axis or keep]
        op = self.pick(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceL2", "ArgMax"])
        if op == "ArgMax":
            return self.node(op, [v], [(T.INT64, shape)], axis=axis, keepdims=keep)
        if self.opset >= (13 if op == "ReduceSum" else 18):
            return self.node(op, [v, self.ints(axis)], [(v.dtype, shape)], keepdims=keep)
        return self.node(op, [v], [(v.dtype, shape)], axes=[axis], keepdims=keep)

    def shape_of(self, v):
        return self.node("Shape", [v], [(T.INT64, (v.rank,))])

    def make_shape(self):
        v = self.any(lambda o: o.rank >= 1)
        if not v:
            return None
        s = self.shape_of(v)
        s.small = True
        if self.chance(0.5):
            return s
        i = self.random.randrange(v.rank)
        one = self.node("Gather", [s, self.constant(np.array(i, np.int64))], [(T.INT64, ())], axis=0)
        one.small = True
        return one

    def make_size(self):
        v = self.any()
        return self.node("Size", [v], [(T.INT64, ())]) if v else None

    def make_reshape_of_shape(self):
        v = self.any(lambda o: o.rank >= 2)
        if not v:
            return None
        s = self.shape_of(v)
        first = self.node("Gather", [s, self.ints(0)], [(T.INT64, (1,))], axis=0)
        minus = self.ints(-1)
        both = self.node("Concat", [first, minus], [(T.INT64, (2,))], axis=0)
        if self.chance(0.4):
            both = self.node("Cast", [both], [(T.INT32, (2,))], to=T.INT32)
            both = self.node("Cast", [both], [(T.INT64, (2,))], to=T.INT64)
        return self.node("Reshape", [v, both], [(v.dtype, (v.shape[0], int(np.prod(v.shape[1:]))))])

    def make_reshape(self):
        v = self.any(lambda o: o.rank >= 1)
        if not v:
            return None
        way = self.random.randint(0, 5)
        size = int(np.prod(v.shape))
        if way == 0:
            return self.node("Reshape", [v, self.ints(*v.shape, 1)], [(v.dtype, (*v.shape, 1))])
        if way == 1:
            return self.node("Reshape", [v, self.ints(-1)], [(v.dtype, (size,))])
        if way == 2:
            perm = self.random.sample(range(v.rank), v.rank)
            return self.node("Transpose", [v], [(v.dtype, [v.shape[p] for p in perm])], perm=perm)
        if way == 3:
            return self.node("Flatten", [v], [(v.dtype, (v.shape[0], size // v.shape[0]))]) if v.dtype == T.FLOAT and v.shape[0] else None
        if way == 4:
            if self.opset >= 13:
                return self.node("Unsqueeze", [v, self.ints(0)], [(v.dtype, (1, *v.shape))])
            return self.node("Unsqueeze", [v], [(v.dtype, (1, *v.shape))], axes=[0])
        if v.shape[0] != 1:
            return None
        if self.opset >= 13:
            return self.node("Squeeze", [v, self.ints(0)], [(v.dtype, v.shape[1:])])
        return self.node("Squeeze", [v], [(v.dtype, v.shape[1:])], axes=[0])

    make_reshape_too = make_reshape

    def make_pieces(self):
        v = self.any(lambda o: o.rank >= 1 and o.dtype in (T.FLOAT, T.INT64))
        if not v:
            return None
        way, d = self.random.randint(0, 6), v.shape[0]
        if way == 0:
            return self.node("Concat", [v, v], [(v.dtype, (2 * d, *v.shape[1:]))], axis=0)
        if way == 1 and d >= 2:
            out = [(v.dtype, (1, *v.shape[1:])), (v.dtype, (d - 1, *v.shape[1:]))]
            if self.opset >= 13:
                return self.node("Split", [v, self.ints(1, d - 1)], out, axis=0)
            return self.node("Split", [v], out, axis=0, split=[1, d - 1])
        if way == 2 and d:
            start = self.random.randrange(d)
            shape = (v.dtype, (d - start, *v.shape[1:]))
            if self.opset < 10:
                return self.node("Slice", [v], [shape], axes=[0], starts=[start], ends=[1 << 40])
            end = self.pick([d, (1 << 63) - 1, (1 << 31) - 1])
            inputs = [v, self.ints(start), self.ints(end)]
            if self.chance(0.5):
                inputs += [self.ints(0), self.ints(1)]
            return self.node("Slice", inputs, [shape])
        if way == 3 and self.opset >= 10:
            low = self.pick([-(1 << 63), -(1 << 31), -d - 1, (1 << 63) - 1])  # the last: as ONNX Runtime takes it
            return self.node("Slice", [v, self.ints(-1), self.ints(low), self.ints(0), self.ints(-1)], [(v.dtype, v.shape)])
        if way == 4 and d:
            at = [self.random.randrange(-d if self.opset >= 11 else 0, d) for _ in range(2)]
            return self.node("Gather", [v, self.ints(*at)], [(v.dtype, (2, *v.shape[1:]))], axis=0)
        if way == 5:
            return self.node("Tile", [v, self.ints(2, *[1] * (v.rank - 1))], [(v.dtype, (2 * d, *v.shape[1:]))])
        if way == 6 and self.opset >= 8:
            return self.node("Expand", [v, self.ints(2, *v.shape)], [(v.dtype, (2, *v.shape))])
        return None

    make_pieces_too = make_pieces

    def make_pad(self):
        v = self.floats(lambda o: o.rank >= 1 and o.dtype == T.FLOAT and min(o.shape) >= 2)
        if not v:
            return None
        mode = self.pick(["constant", "constant", "reflect", "edge"])
        pads = [0] * (v.rank - 1) + [1] + [0] * v.rank
        shape = (*v.shape[:-1], v.shape[-1] + 1)
        if self.opset < 11:
            return self.node("Pad", [v], [(v.dtype, shape)], mode=mode, pads=pads)
        value = [self.weights(())] if self.chance(0.5) and mode == "constant" else []
        return self.node("Pad", [v, self.ints(*pads), *value], [(v.dtype, shape)], mode=mode)

    def make_cast(self):
        v = self.any(lambda o: o.dtype in (T.FLOAT, T.INT64, T.INT32, T.BOOL, T.DOUBLE, T.FLOAT16, T.UINT8, T.INT8))
        to = self.pick([T.FLOAT, T.FLOAT, T.INT64, T.INT32, T.DOUBLE, T.FLOAT16, T.BOOL, T.UINT8])
        if not v or (self.opset < 9 and T.FLOAT16 in (to, v.dtype)):
            return None
        return self.node("Cast", [v], [(to, v.shape)], to=to)

    def make_constants(self):
        """Nodes that only constants reach."""
        way = self.random.randint(0, 6)
        c = self.weights((2, 3))
        if way == 0:
            return self.node(self.pick(["Neg", "Exp", "Relu", "Identity"]), [c], [(T.FLOAT, (2, 3))])
        if way == 1 and self.opset >= 9:
            value = numpy_helper.from_array(np.array([self.pick([0, 2])], self.pick([np.float32, np.int64])))
            return self.node("ConstantOfShape", [self.ints(2, 3)], [(value.data_type, (2, 3))], value=value)
        if way == 2 and self.opset >= 11:
            ends = [self.constant(np.array(i, np.int64)) for i in (0, 6, 2)]
            return self.node("Range", ends, [(T.INT64, (3,))])
        if way == 3 and self.opset >= 9:
            n = self.node("NonZero", [self.constant(np.array([1, 0, 2], np.float32))], [(T.INT64, (1, 2))])
            n.open = True
            return n
        if way == 4 and self.opset >= 9:
            return self.node("EyeLike", [c], [(T.FLOAT, (2, 3))], **({"dtype": T.FLOAT} if self.chance(0.5) else {}))
        if way == 5 and self.opset >= 11:
            return self.node("CumSum", [c, self.constant(np.array(1, np.int64))], [(T.FLOAT, (2, 3))])
        if way == 6 and self.opset >= 11:
            return self.node("Pad", [c, self.ints(0, 1, 0, 0)], [(T.FLOAT, (2, 4))])
        return None

    def make_window(self):
        if self.opset < 17:
            return None
        op = self.pick(["HannWindow", "HammingWindow", "BlackmanWindow"])
        given = {"output_datatype": T.FLOAT} if self.chance(0.3) else {}
        size = self.constant(np.array(4, np.int64))
        if self.chance(0.5):
            s = self.any(lambda o: o.rank == 2 and o.shape[0] >= 2)
            if s:
                n = self.node("Gather", [self.shape_of(s), self.constant(np.array(0, np.int64))], [(T.INT64, ())])
                return self.node(op, [n], [(T.FLOAT, (s.shape[0],))], **given)
        return self.node(op, [size], [(T.FLOAT, (4,))], **given)

    def make_quantize(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT)
        if self.opset < 10 or not v:
            return None
        scale = self.constant(np.array(0.1, np.float32))
        if self.chance(0.2) and self.opset >= 11 and v.rank:
            return self.node("DynamicQuantizeLinear", [v], [(T.UINT8, v.shape), (T.FLOAT, ()), (T.UINT8, ())])
        zero = self.constant(np.array(3, np.uint8))
        q = self.node("QuantizeLinear", [v, scale, zero], [(T.UINT8, v.shape)])
        return self.node("DequantizeLinear", [q, scale, zero], [(T.FLOAT, v.shape)]) if self.chance(0.8) else q

    def make_selection(self):
        v = self.floats(lambda o: o.rank >= 1 and o.dtype == T.FLOAT and o.shape[-1] >= 2)
        if not v or self.opset < 11:
            return None
        way = self.random.randint(0, 4)
        if way == 0:
            return self.node("TopK", [v, self.ints(2)], [(T.FLOAT, (*v.shape[:-1], 2)), (T.INT64, (*v.shape[:-1], 2))])
        if way == 1:
            i = self.any(lambda o: o.dtype == T.INT64 and o.rank == 1 and o.small)
            if not i:
                return None
            pair = self.constant(np.array([0, 1], np.float32))
            return self.node("OneHot", [i, self.constant(np.array(4, np.int64)), pair], [(T.FLOAT, (*i.shape, 4))])
        if way == 2:
            u = self.weights((1, *v.shape[1:]))
            return self.node("ScatterND", [v, self.constant(np.array([[0]], np.int64)), u], [(T.FLOAT, v.shape)])
        if way == 3:
            return self.node("GatherND", [v, self.constant(np.array([[0]], np.int64))], [(T.FLOAT, (1, *v.shape[1:]))])
        low = self.weights(()) if self.chance(0.5) else ""
        return self.node("Clip", [v, low, self.weights(())], [(T.FLOAT, v.shape)])

    def make_sequence(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT)
        if not v or self.opset < 11:
            return None
        s = self.node("SequenceConstruct", [v, v], [(T.FLOAT, ())])
        self.scope.values.remove(s)
        return self.node("SequenceAt", [s, self.constant(np.array(1, np.int64))], [(T.FLOAT, v.shape)])

    def make_contrib(self):
        v = self.floats(lambda o: o.rank >= 1 and o.dtype == T.FLOAT)
        if not v:
            return None
        self.imports["com.microsoft"] = 1
        way = self.random.randint(0, 3)
        if way == 0:
            return self.node("Gelu", [v], [(T.FLOAT, v.shape)], domain="com.microsoft")
        if way == 1:
            return self.node("FastGelu", [v], [(T.FLOAT, v.shape)], domain="com.microsoft")
        if way == 2:
            return self.node("BiasGelu", [v, self.weights((v.shape[-1],))], [(T.FLOAT, v.shape)], domain="com.microsoft")
        if v.rank < 2:
            return None
        return self.node("FusedMatMul", [v, self.weights((v.shape[-1], 2))], [(T.FLOAT, (*v.shape[:-1], 2))], domain="com.microsoft", alpha=0.5)

    def make_random(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT and o.rank >= 1)
        if not v or self.opset >= 22 or not self.chance(0.3):
            return None
        like = self.node("RandomNormalLike", [v], [(T.FLOAT, v.shape)], seed=1.0)
        return self.node("Mul", [like, self.constant(np.zeros((), np.float32))], [(T.FLOAT, v.shape)])

    # --- bodies
    def condition(self):
        """A bool, constant or not."""
        if self.chance(0.5):
            return self.constant(np.array(self.chance(0.5)))
        v = self.any(lambda o: o.rank >= 1)
        if not v or self.opset < 9:
            return self.constant(np.array(True))
        d = self.node("Gather", [self.shape_of(v), self.constant(np.array(0, np.int64))], [(T.INT64, ())])
        return self.node("Greater", [d, self.constant(np.array(2, np.int64))], [(T.BOOL, ())])

    def body(self, inputs, write):
        """`inputs`: (dtype, shape) each; `write` gets their values and returns those of the outputs."""
        outer, self.scope = self.scope, Scope(self.scope)
        given = [Value(self.name(), dtype, shape, self.scope.depth) for dtype, shape in inputs]
        self.scope.values += given
        results = write(given)
        outputs = []
        for r in results:  # each made in the body, and once
            v = self.node("Identity", [r], [(r.dtype, r.shape)])
            outputs.append(helper.make_tensor_value_info(v.name, v.dtype, v.shape))
        typed = [helper.make_tensor_value_info(v.name, v.dtype, v.shape) for v in given]
        graph = helper.make_graph(self.scope.nodes, self.name(), typed, outputs, self.scope.initializers)
        self.scope = outer
        return graph

    def float_of_shape(self, shape):
        v = self.any(lambda o: o.dtype == T.FLOAT and o.shape == tuple(shape))
        v = v or self.weights(shape)
        return self.node(self.pick(["Relu", "Neg", "Exp"]), [v], [(T.FLOAT, shape)])

    def make_if(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT)
        if not v or self.opset < 9:
            return None

        def branch(_):
            self.steps(self.random.randint(0, 3))
            return [self.float_of_shape(v.shape)]

        c = self.condition()
        return self.node("If", [c], [(T.FLOAT, v.shape)], then_branch=self.body([], branch), else_branch=self.body([], branch))

    def make_loop(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT)
        if not v or self.opset < 11:
            return None
        times = self.random.randint(1, 3)

        def step(given):
            self.steps(self.random.randint(0, 3))
            new = self.node("Add", [given[2], self.weights(())], [(T.FLOAT, v.shape)])
            return [given[1], new, self.float_of_shape(v.shape)]

        graph = self.body([(T.INT64, ()), (T.BOOL, ()), (T.FLOAT, v.shape)], step)
        m = self.constant(np.array(times, np.int64))
        c = self.constant(np.array(True)) if self.chance(0.5) else ""
        carried = v if self.chance(0.6) else self.weights(v.shape)
        return self.node("Loop", [m, c, carried], [(T.FLOAT, v.shape), (T.FLOAT, (times, *v.shape))], body=graph)

    def make_scan(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT and o.rank >= 1 and o.shape[0] >= 1)
        if not v or self.opset < 9:
            return None
        inner = v.shape[1:]

        def step(given):
            total = self.node("Add", given, [(T.FLOAT, inner)])
            return [total, self.node("Neg", [total], [(T.FLOAT, inner)])]

        graph = self.body([(T.FLOAT, inner), (T.FLOAT, inner)], step)
        scanned = v if self.chance(0.7) else self.weights(v.shape)
        return self.node("Scan", [self.weights(inner), scanned], [(T.FLOAT, inner), (T.FLOAT, v.shape)], body=graph, num_scan_inputs=1)

    def make_call(self):
        v = self.floats(lambda o: o.dtype == T.FLOAT)
        if not v or self.ir < 8 or self.opset < 13:
            return None
        if not self.functions or self.chance(0.3):
            name = f"f{len(self.functions)}"
            nodes = [helper.make_node("Constant", [], ["two"], value_float=2.0), helper.make_node("Mul", ["a", "two"], ["b"]),
                     helper.make_node("LeakyRelu", ["b"], ["c"])]
            nodes[2].attribute.append(onnx.AttributeProto(name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="slope"))
            if self.functions and self.chance(0.5):
                nodes.append(helper.make_node(self.functions[0].name, ["c"], ["d"], domain="my", slope=0.5))
            imports = [helper.make_opsetid("", self.opset), helper.make_opsetid("my", 1)]
            self.functions.append(helper.make_function("my", name, ["a"], [nodes[-1].output[0]], nodes, imports, ["slope"]))
            self.imports["my"] = 1
        return self.node(self.pick(self.functions).name, [v], [(T.FLOAT, v.shape)], domain="my", slope=0.25)


def random_model(seed):
    """(model, feed); nearly all pass the checker and run."""
    return Generator(seed).model()
