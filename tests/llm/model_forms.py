"""Further forms of a decoder's model: static shapes, caches of other number formats, and an encoder's caches."""

import numpy as np
import onnx
from onnx import TensorProto, helper


def static(model, length):
    """For one token at a time, with a past of `length` - 1 positions, as engines of NPUs take it."""
    for value in [*model.graph.input, *model.graph.output]:
        past = value.name.startswith("past")
        sizes = {"batch_size": 1, "sequence_length": 1, "past_sequence_length": length - 1,
                 "past_sequence_length + sequence_length": length, "total_sequence_length": length}
        for size in value.type.tensor_type.shape.dim:
            if size.dim_param:
                size.dim_value = sizes[size.dim_param]
        assert not past or value.type.tensor_type.shape.dim[2].dim_value == length - 1
    return model


def with_narrow_caches(model, kind, scale=0.06):
    """Caches in float16, or in int8 in steps of `scale`; the model computes as before."""
    element = {"f16": TensorProto.FLOAT16, "int8": TensorProto.INT8}[kind]
    graph = model.graph
    graph.initializer.append(onnx.numpy_helper.from_array(np.float32(scale), "cache_scale"))

    def convert(x, y, name, narrow):
        if kind == "f16":
            return helper.make_node("Cast", [x], [y], name=name, to=element if narrow else TensorProto.FLOAT)
        return helper.make_node("QuantizeLinear" if narrow else "DequantizeLinear", [x, "cache_scale", "cache_zero"],
                                [y], name=name)

    graph.initializer.append(onnx.numpy_helper.from_array(np.int8(0), "cache_zero"))
    first, last = [], []
    for value in graph.input:
        if not value.name.startswith("past"):
            continue
        value.type.tensor_type.elem_type = element
        for node in graph.node:
            for i, name in enumerate(node.input):
                if name == value.name:
                    node.input[i] = f"{value.name}_wide"
        first.append(convert(value.name, f"{value.name}_wide", f"{value.name}/read", False))
    for value in graph.output:
        if not value.name.startswith("present"):
            continue
        value.type.tensor_type.elem_type = element
        for node in graph.node:
            for i, name in enumerate(node.output):
                if name == value.name:
                    node.output[i] = f"{value.name}_wide"
        last.append(convert(f"{value.name}_wide", value.name, f"{value.name}/write", True))
    nodes = [*first, *graph.node, *last]
    del graph.node[:]
    graph.node.extend(nodes)
    return model


SIZE, VOCABULARY = 8, 31


def encoder_decoder(seed=0):
    """A decoder with attention to itself and to an encoder's states, as Optimum merges it: the branch for steps takes
    the encoder's cache, and returns a dummy of it."""
    random = np.random.default_rng(seed)
    initializers, constants = [], {}

    def weight(name, *shape):
        values = (random.standard_normal(shape) * 2 * shape[0] ** -0.5).astype(np.float32)
        initializers.append(onnx.numpy_helper.from_array(values, name))

    weight("embedding", VOCABULARY, SIZE)
    for name in ("q", "k", "v", "cross_q", "cross_k", "cross_v"):
        weight(name, SIZE, SIZE)
    weight("head", SIZE, VOCABULARY)

    def constant(values, dtype=np.int64):
        values = np.asarray(values, dtype)
        key = (values.dtype.str, values.shape, values.tobytes())
        if key not in constants:
            constants[key] = f"constant_{len(constants)}"
            initializers.append(onnx.numpy_helper.from_array(values, constants[key]))
        return constants[key]

    def branch(name, has_past):
        nodes = []

        def node(op, inputs, output, **attributes):
            output = f"{name}/{output}"
            nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
            return output

        def attention(q, keys, values, mask, at):
            turned = node("Transpose", [keys], f"{at}/turned", perm=[0, 1, 3, 2])
            scores = node("MatMul", [q, turned], f"{at}/scores")
            shares = node("Softmax", [node("Add", [scores, mask], f"{at}/masked")], f"{at}/shares", axis=-1)
            return node("Squeeze", [node("MatMul", [shares, values], f"{at}/mixed"), constant([1])], f"{at}/squeezed")

        def projected(x, matrix):
            return node("Unsqueeze", [node("MatMul", [x, matrix], matrix), constant([1])], f"{matrix}/heads")

        x = node("Gather", ["embedding", "input_ids"], "x")
        keys, values = projected(x, "k"), projected(x, "v")
        if has_past:
            keys = node("Concat", ["past_key_values.0.decoder.key", keys], "keys", axis=2)
            values = node("Concat", ["past_key_values.0.decoder.value", values], "values", axis=2)
            cross = ["past_key_values.0.encoder.key", "past_key_values.0.encoder.value"]
        else:
            cross = [projected("encoder_hidden_states", f"cross_{part}") for part in "kv"]
        new = node("Shape", [x], "new", start=1, end=2)
        total = node("Shape", [keys], "total", start=2, end=3)

        def up_to(length, at):
            end = node("Squeeze", [length], f"{at}/end")
            return node("Range", [constant(0), end, constant(1)], at)
        rows = node("Add", [up_to(new, "rows"), node("Sub", [total, new], "past")], "queries")
        seen = node("LessOrEqual", [up_to(total, "columns"), node("Unsqueeze", [rows, constant([1])], "column")], "seen")
        causal = node("Where", [seen, constant(0, np.float32), constant(-1e9, np.float32)], "causal")
        hidden = node("Sub", [constant(1, np.float32), node("Cast", ["encoder_attention_mask"], "real", to=1)], "hidden")
        hidden = node("Unsqueeze", [node("Mul", [hidden, constant(-1e9, np.float32)], "hidden/large"), constant([1, 2])],
                      "encoder_mask")
        x = node("Add", [x, attention(projected(x, "q"), keys, values, causal, "self")], "x_1")
        x = node("Add", [x, attention(projected(x, "cross_q"), *cross, hidden, "cross")], "x_2")
        outputs = [node("MatMul", [x, "head"], "logits"), keys, values]
        for made, part in zip(cross, ("key", "value")):
            outputs.append(constant(np.zeros((0, 1, 1, SIZE)), np.float32) if has_past else made)
            outputs[-1] = node("Identity", [outputs[-1]], f"encoder.{part}")
        infos = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None) for output in outputs]
        return helper.make_graph(nodes, name, [], infos)

    cache = ["B", 1, "past_decoder_sequence_length", SIZE]
    of_encoder = ["B", 1, "encoder_sequence_length_out", SIZE]
    inputs = [("encoder_attention_mask", TensorProto.INT64, ["B", "encoder_sequence_length"]),
              ("input_ids", TensorProto.INT64, ["B", "decoder_sequence_length"]),
              ("encoder_hidden_states", TensorProto.FLOAT, ["B", "encoder_sequence_length", SIZE])]
    parts = [(side, part) for side in ("decoder", "encoder") for part in ("key", "value")]
    inputs += [(f"past_key_values.0.{side}.{part}", TensorProto.FLOAT, cache if side == "decoder" else of_encoder)
               for side, part in parts]
    inputs.append(("use_cache_branch", TensorProto.BOOL, [1]))
    present = ["B", 1, "past_decoder_sequence_length + 1", SIZE]
    outputs = [("logits", TensorProto.FLOAT, ["B", "decoder_sequence_length", VOCABULARY])]
    outputs += [(f"present.0.{side}.{part}", TensorProto.FLOAT, present if side == "decoder" else of_encoder)
                for side, part in parts]
    merged = helper.make_node("If", ["use_cache_branch"], [name for name, *_ in outputs], name="optimum::if",
                              then_branch=branch("with_past", True), else_branch=branch("first", False))
    graph = helper.make_graph([merged], "merged", [helper.make_tensor_value_info(*one) for one in inputs],
                              [helper.make_tensor_value_info(*one) for one in outputs], initializers)
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 17)])
