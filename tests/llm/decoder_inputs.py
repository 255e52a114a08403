"""The inputs of a decoder's graph, and what all of its layers derive from them: positions and masks."""

import numpy as np
from onnx import TensorProto, helper

import numpy_decoder
from cache_names import cache_names, in_order
from decoder_spec import FUSED, THETA

INT64, BOOL = TensorProto.INT64, TensorProto.BOOL
LARGEST_POSITION = 256


class DecoderInputs:
    def __init__(self, w, weights):
        self.w, self.spec, self.weights = w, w.spec, weights
        self.inputs, self.outputs, self.pasts = [], [], []
        self.fused = self.spec.form in FUSED
        self.ranges = numpy_decoder.largest_inputs(self.spec, weights) if self.spec.quantized == "int8" else {}

    def fault(self, name):
        return self.spec.fault == name

    def last_layer_fault(self, name, layer):
        return self.fault(name) and layer == self.spec.layers - 1

    # Inputs of a call.

    def declare_inputs(self):
        spec = self.spec
        batch, new = "batch_size", "sequence_length"
        total = "total_sequence_length" if self.fused else "past_sequence_length + sequence_length"
        self.input("input_ids", INT64, [batch, new])
        if spec.form == "nocache":
            return
        self.input("attention_mask", INT64, [batch, total])
        if not self.fused:
            self.input("position_ids", INT64, [batch, new])
        self.pasts = [cache_names(spec.form, i)[0] for i in range(spec.layers)]
        for name in in_order(spec.form, self.pasts):
            self.input(name, self.w.element, self.cache_shape(self.cache_length(name, "past_sequence_length")))
        if spec.form == "torch":
            self.input("cache_position", INT64, [new])

    def cache_length(self, name, growing):
        """The axis of positions of a cache's input or output; `growing`: its name where it grows."""
        spec = self.spec
        if spec.form == "shared":
            return spec.max_length
        windows = {each for i in range(spec.layers) if spec.window(i) for side in cache_names(spec.form, i)
                   for each in side}
        return growing.replace("sequence", "sliding") if name in windows else growing

    def cache_shape(self, length):
        size = "kv_cache_dim" if self.spec.form in ("genai", "window") else self.spec.head_size
        return ["batch_size", self.spec.kv_heads, length, size]

    def input(self, name, element, shape):
        self.inputs.append(helper.make_tensor_value_info(name, element, shape))

    def output(self, name, shape):
        self.outputs.append(helper.make_tensor_value_info(name, self.w.element, shape))

    # Lengths, positions and masks: once for all layers.

    def count(self):
        """int64[1] each: new tokens, those of the past, both."""
        w = self.w
        self.new = w.dimension("input_ids", 1, "/model/new")
        if self.spec.form == "nocache":
            self.total, self.past = self.new, w.constant([0])
        else:
            self.total = w.dimension("attention_mask", 1, "/model/total")
            self.past = w.node("Sub", [self.total, self.new], "/model/past")
        self.has_past = w.node("Greater", [self.past, w.constant([0])], "/model/has_past")

    def indices(self, length, name):
        """0, 1, ... of int64[1] `length`."""
        w = self.w
        scalar = w.node("Gather", [length, w.constant(0)], f"{name}/Gather")
        return w.node("Range", [w.constant(0), scalar, w.constant(1)], f"{name}/Range")

    def with_past(self, changed, x, name):
        return self.w.node("Where", [self.has_past, changed, x], name)

    def positions(self):
        """int64[batch or 1, new]."""
        w = self.w
        counted = w.node("Add", [self.indices(self.new, "/model/new"), self.past], "/model/positions")
        counted = w.node("Unsqueeze", [counted, w.constant([0])], "/model/positions/Unsqueeze")
        result = counted if self.spec.form == "nocache" else "position_ids"
        if self.fault("position-ids-ignored"):
            result = self.with_past(counted, result, "/model/positions/counted")
        if self.fault("position-off-by-one"):
            result = w.node("Add", [result, w.cast(self.has_past, INT64, "/model/one")], "/model/positions/shifted")
        if self.fault("position-clamped"):
            result = self.with_past(w.node("Min", [result, w.constant(4)], "/model/positions/Min"), result,
                                    "/model/positions/clamped")
        return result

    def rotation(self):
        """cos and sin, [batch or 1, 1, new, head size]."""
        w, half = self.w, self.spec.head_size // 2
        frequencies = w.constant(THETA ** -(np.arange(half) / half), np.float32)
        positions = w.cast(self.positions(), TensorProto.FLOAT, "/model/rotary_emb/Cast")
        positions = w.node("Unsqueeze", [positions, w.constant([1, 3])], "/model/rotary_emb/Unsqueeze")
        angles = w.node("Mul", [positions, frequencies], "/model/rotary_emb/Mul")
        angles = w.node("Concat", [angles, angles], "/model/rotary_emb/Concat", axis=-1)
        return [w.cast(w.node(op, [angles], f"/model/rotary_emb/{op}"), w.element, f"/model/rotary_emb/{op}/Cast")
                for op in ("Cos", "Sin")]

    def mask(self):
        """The summand of scores: [batch or 1, 1, new, total]."""
        w = self.w
        keys = self.indices(self.total, "/model/keys")
        limit = self.indices(self.new, "/model/queries")
        if self.spec.form == "torch" and not self.fault("causal-top-left"):
            limit = "cache_position"
        elif not self.fault("causal-top-left"):
            limit = w.node("Add", [limit, self.past], "/model/queries/Add")
        limit = w.node("Unsqueeze", [limit, w.constant([1])], "/model/queries/Unsqueeze")
        if self.fault("mask-sees-future"):
            limit = w.node("Add", [limit, w.constant(1)], "/model/queries/future")
        seen = w.node("LessOrEqual", [keys, limit], "/model/causal")
        if self.fault("past-truncated") or self.fault("past-window"):
            forgotten = (w.constant(1) if self.fault("past-truncated") else
                         w.node("Sub", [self.past, w.constant(3)], "/model/window"))
            kept = w.node("GreaterOrEqual", [keys, forgotten], "/model/kept")
            kept = w.node("Or", [kept, w.node("Not", [self.has_past], "/model/no_past")], "/model/kept/Or")
            seen = w.node("And", [seen, kept], "/model/kept/And")
        seen = w.node("Unsqueeze", [seen, w.constant([0, 1])], "/model/causal/Unsqueeze")
        if self.spec.form != "nocache" and not self.fault("padding-attended"):
            real = w.cast("attention_mask", BOOL, "/model/attention_mask/Cast")
            real = w.node("Unsqueeze", [real, w.constant([1, 2])], "/model/attention_mask/Unsqueeze")
            seen = w.node("And", [seen, real], "/model/mask/And")
        return w.node("Where", [seen, w.number(0), w.number(-3e4)], "/model/mask")

    def prepare_attention(self):
        w, spec = self.w, self.spec
        if not self.fused or spec.fault:
            self.count()
        if not self.fused:
            self.cos, self.sin = self.rotation()
            self.bias = self.mask()
            return
        at = "/model/attn_mask_reformat/attn_mask_subgraph"
        real = w.node("ReduceSum", ["attention_mask", w.constant([1])], f"{at}/ReduceSum", keepdims=0)
        last = w.node("Sub", [real, w.constant([1])], f"{at}/Sub")
        self.seqlens_k = w.cast(last, TensorProto.INT32, f"{at}/Sub/Cast")
        length = w.node("Gather", [w.node("Shape", ["attention_mask"], f"{at}/Shape"), w.constant(1)], f"{at}/Gather",
                        axis=0)
        self.total_sequence_length = w.cast(length, TensorProto.INT32, f"{at}/Gather/Cast")
        half = spec.head_size // 2
        angles = np.arange(LARGEST_POSITION)[:, None] * THETA ** -(np.arange(half) / half)
        w.initializer("cos_cache", np.cos(angles).astype(w.numpy))
        w.initializer("sin_cache", np.sin(angles).astype(w.numpy))
