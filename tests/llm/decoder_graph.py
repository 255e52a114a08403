"""The graph of a decoder: nodes and weights, in the form that an exporter gives them."""

import numpy as np
from onnx import TensorProto, helper

from cache_names import cache_names, in_order, logits_name
from decoder_inputs import LARGEST_POSITION, DecoderInputs
from decoder_spec import EPSILON
from graph_writer import Writer
from quantized_linear import linear


def make(spec, weights):
    return DecoderGraph(Writer(spec), weights).make()


class DecoderGraph(DecoderInputs):
    def linear(self, x, name):
        return linear(self.w, x, name, self.weights[f"{name}.weight"], self.weights.get(f"{name}.bias"),
                      self.ranges.get(name))

    def norm(self, x, name):
        w = self.w
        weight = w.initializer(f"{name}.weight", self.weights[f"{name}.weight"].astype(w.numpy))
        if self.fused:
            return w.node("SimplifiedLayerNormalization", [x, weight], f"{name}/LayerNorm", epsilon=EPSILON, axis=-1,
                          stash_type=1)
        wide = x if w.element == TensorProto.FLOAT else w.cast(x, TensorProto.FLOAT, f"{name}/Cast")
        square = w.node("Pow", [wide, w.constant(2, np.float32)], f"{name}/Pow")
        mean = w.node("ReduceMean", [square, w.constant([-1])], f"{name}/ReduceMean", keepdims=1)
        root = w.node("Sqrt", [w.node("Add", [mean, w.constant(EPSILON, np.float32)], f"{name}/Add")], f"{name}/Sqrt")
        scaled = w.node("Div", [wide, root], f"{name}/Div")
        if w.element != TensorProto.FLOAT:
            scaled = w.cast(scaled, w.element, f"{name}/Cast_1")
        return w.node("Mul", [scaled, weight], f"{name}/Mul")

    def past_of(self, layer):
        """The names of the past keys and values that a layer reads, spoilt by the fault."""
        w = self.w
        if self.spec.form == "nocache":
            return None
        keys, values = self.pasts[0 if self.last_layer_fault("layers-crossed", layer) else layer]
        if self.last_layer_fault("keys-and-values-swapped", layer):
            return values, keys

        def changed(x, which):
            name = f"/model/layers.{layer}/past/{which}"
            if self.last_layer_fault("past-zeroed", layer):
                return w.node("Mul", [x, w.number(0)], name)
            for fault, axis in (("rows-crossed", 0), ("heads-crossed", 1)):
                if self.last_layer_fault(fault, layer):
                    first = w.node("Slice", [x, w.constant([0]), w.constant([1]), w.constant([axis])], f"{name}/first")
                    rest = w.node("Slice", [x, w.constant([1]), w.constant([LARGEST_POSITION]), w.constant([axis])],
                                  f"{name}/rest")
                    return w.node("Concat", [rest, first], name, axis=axis)
            if self.last_layer_fault("last-missing", layer):
                rows = (w.constant(np.arange(self.spec.max_length)) if self.spec.form == "shared" else
                        self.indices(self.past, f"{name}/rows"))
                last = w.node("Sub", [self.past, w.constant([1])], f"{name}/last")
                kept = w.node("Not", [w.node("Equal", [rows, last], f"{name}/Equal")], f"{name}/Not")
                kept = w.node("Unsqueeze", [kept, w.constant([0, 1, 3])], f"{name}/kept")
                return w.node("Where", [kept, x, w.number(0)], name)
            return x
        return changed(keys, "keys"), changed(values, "values")

    def write_present(self, layer, name, present, past):
        """The output `name`: the cache with the new tokens; of fused attention `present` is that output already."""
        w = self.w
        if self.last_layer_fault("present-not-updated", layer):
            if self.spec.form == "shared":
                w.node("Identity", [past], name)
                return
            kept = w.node("Slice", [present, w.constant([0]), self.past, w.constant([2])], f"{name}/kept")
            end = w.constant([LARGEST_POSITION])
            rest = w.node("Slice", [present, self.past, end, w.constant([2])], f"{name}/rest")
            w.node("Concat", [kept, w.node("Mul", [rest, w.number(0)], f"{name}/zeros")], name, axis=2)
        elif present != name:
            w.node("Identity", [present], name)

    def attention(self, x, layer):
        w, spec = self.w, self.spec
        at = f"/model/layers.{layer}/attn"
        past = self.past_of(layer)
        outputs = cache_names(spec.form, layer)[1] if past else ()
        if self.fused:
            stale = self.last_layer_fault("present-not-updated", layer)
            presents = [f"{at}/{name}" for name in outputs] if stale else outputs
            packed = self.packed(x, layer)
            size = spec.window(layer)
            window = {"local_window_size": size, "sliding_window_cache": 1} if size else {}
            w.nodes.append(helper.make_node(
                "GroupQueryAttention",
                [packed, "", "", *past, self.seqlens_k, self.total_sequence_length, "cos_cache", "sin_cache"],
                [f"{at}/GroupQueryAttention", *presents], name=f"{at}/GroupQueryAttention", domain="com.microsoft",
                num_heads=spec.heads, kv_num_heads=spec.kv_heads, scale=spec.head_size ** -0.5, do_rotary=1, **window))
            mixed = f"{at}/GroupQueryAttention"
        else:
            q, k, v = (self.heads(f"{at}/{part}", self.linear(x, f"model.layers.{layer}.self_attn.{part}_proj"))
                       for part in "qkv")
            q = self.rotated(q, f"{at}/q")
            rotated = self.rotated(k, f"{at}/k")
            k = self.with_past(k, rotated, f"{at}/k/unrotated") if self.fault("key-not-rotated") else rotated
            presents = [k, v]
            if past:
                order = (k, past[0]) if self.fault("keys-prepended") else (past[0], k)
                presents = [w.node("Concat", order, f"{at}/keys", axis=2),
                            w.node("Concat", [past[1], v], f"{at}/values", axis=2)]
            mixed = self.mixed(q, *presents, at)
        for name, present, kept in zip(outputs, presents, past or ()):
            self.write_present(layer, name, present, kept)
        return self.linear(mixed, f"model.layers.{layer}.self_attn.o_proj")

    def packed(self, x, layer):
        """Q, K and V by one product."""
        parts = [f"model.layers.{layer}.self_attn.{part}_proj" for part in "qkv"]
        whole = [np.concatenate([self.weights[f"{part}.{kind}"] for part in parts], axis=-1)
                 if f"{parts[0]}.{kind}" in self.weights else None for kind in ("weight", "bias")]
        return linear(self.w, x, f"model.layers.{layer}.attn.qkv_proj", *whole, self.ranges.get(parts[0]))

    def heads(self, name, x):
        """[batch, new, heads * size] as [batch, heads, new, size]."""
        w = self.w
        x = w.node("Reshape", [x, w.constant([0, 0, -1, self.spec.head_size])], f"{name}/Reshape")
        return w.node("Transpose", [x], f"{name}/Transpose", perm=[0, 2, 1, 3])

    def rotated(self, x, name):
        w, half = self.w, self.spec.head_size // 2
        first, second = (w.node("Slice", [x, w.constant([begin]), w.constant([begin + half]), w.constant([3])],
                                f"{name}/Slice_{begin}") for begin in (0, half))
        turned = w.node("Concat", [w.node("Neg", [second], f"{name}/Neg"), first], f"{name}/Concat", axis=-1)
        return w.node("Add", [w.node("Mul", [x, self.cos], f"{name}/cos"),
                              w.node("Mul", [turned, self.sin], f"{name}/sin")], f"{name}/rotated")

    def repeated(self, x, name):
        """A kv head for each head."""
        w, spec = self.w, self.spec
        groups = spec.heads // spec.kv_heads
        if groups == 1:
            return x
        x = w.node("Unsqueeze", [x, w.constant([2])], f"{name}/Unsqueeze")
        x = w.node("Expand", [x, w.constant([1, 1, groups, 1, 1])], f"{name}/Expand")
        shape = [w.constant([0, spec.heads]), w.constant([-1, spec.head_size])]
        return w.node("Reshape", [x, w.node("Concat", shape, f"{name}/shape", axis=0)], f"{name}/repeated")

    def mixed(self, q, keys, values, at):
        w, spec = self.w, self.spec
        turned = w.node("Transpose", [self.repeated(keys, f"{at}/keys")], f"{at}/Transpose", perm=[0, 1, 3, 2])
        scores = w.node("MatMul", [q, turned], f"{at}/MatMul")
        scores = w.node("Mul", [scores, w.number(spec.head_size ** -0.5)], f"{at}/scores")
        shares = w.node("Softmax", [w.node("Add", [scores, self.bias], f"{at}/Add")], f"{at}/Softmax", axis=-1)
        mixed = w.node("MatMul", [shares, self.repeated(values, f"{at}/values")], f"{at}/MatMul_1")
        mixed = w.node("Transpose", [mixed], f"{at}/Transpose_1", perm=[0, 2, 1, 3])
        return w.node("Reshape", [mixed, w.constant([0, 0, spec.hidden])], f"{at}/Reshape_1")

    def layer(self, x, i):
        w, at = self.w, f"/model/layers.{i}"
        attended = self.attention(self.norm(x, f"model.layers.{i}.input_layernorm"), i)
        x = w.node("Add", [x, attended], f"{at}/Add")
        y = self.norm(x, f"model.layers.{i}.post_attention_layernorm")
        gate = self.linear(y, f"model.layers.{i}.mlp.gate_proj")
        active = w.node("Mul", [gate, w.node("Sigmoid", [gate], f"{at}/mlp/act_fn/Sigmoid")], f"{at}/mlp/act_fn/Mul")
        inner = w.node("Mul", [active, self.linear(y, f"model.layers.{i}.mlp.up_proj")], f"{at}/mlp/Mul")
        return w.node("Add", [x, self.linear(inner, f"model.layers.{i}.mlp.down_proj")], f"{at}/Add_1")

    def make(self):
        w, spec = self.w, self.spec
        self.declare_inputs()
        self.prepare_attention()
        name = "model.embed_tokens.weight"
        embedding = w.initializer(name, self.weights[name].astype(w.numpy))
        x = w.node("Gather", [embedding, "input_ids"], "/model/embed_tokens/Gather")
        for i in range(spec.layers):
            x = self.layer(x, i)
        x = self.linear(self.norm(x, "model.norm"), "lm_head")
        w.node("Identity", [x], logits_name(spec.form))
        self.output(logits_name(spec.form), ["batch_size", "sequence_length", spec.vocabulary])
        if self.pasts:
            total = "total_sequence_length" if self.fused else "past_sequence_length + sequence_length"
            for name in in_order(spec.form, [cache_names(spec.form, i)[1] for i in range(spec.layers)]):
                self.output(name, self.cache_shape(self.cache_length(name, total)))
        graph = helper.make_graph(w.nodes, "decoder", self.inputs, self.outputs, w.initializers)
        return helper.make_model(graph, ir_version=10, producer_name="decoders.py", opset_imports=[
            helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)])
