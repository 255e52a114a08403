"""Sizes, form and random weights of a small decoder. The door is decoders.py."""

import dataclasses

import numpy as np
from onnx import TensorProto

import cache_faults

ARCHITECTURES = ("qwen", "llama")
FORMS = ("optimum", "genai", "shared", "window", "hf", "torch", "nocache")
FUSED = ("genai", "shared", "window")
WINDOW = 8
TYPES = {"f32": (TensorProto.FLOAT, np.float32), "f16": (TensorProto.FLOAT16, np.float16)}
THETA = 10000.0
EPSILON = 1e-6


@dataclasses.dataclass(frozen=True)
class Spec:
    """A decoder as a value."""
    architecture: str = "qwen"
    form: str = "optimum"
    type: str = "f32"
    quantized: str = ""
    fault: str = ""
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    kv_heads: int = 2
    vocabulary: int = 97
    max_length: int = 32
    seed: int = 0

    def __post_init__(self):
        if self.hidden % self.heads or self.head_size % 2 or self.heads % self.kv_heads:
            raise ValueError(f"--hidden {self.hidden}, --heads {self.heads} and --kv-heads {self.kv_heads} do not fit: "
                             "heads are of one even size, and kv heads of as many heads each")
        cache_faults.check(self.fault, self)

    @property
    def head_size(self):
        return self.hidden // self.heads

    def window(self, layer):
        """Positions that a layer sees, its own among them; 0: all."""
        return WINDOW if self.form == "window" and layer % 2 == 0 else 0

    @property
    def inner(self):
        return 2 * self.hidden

    def with_(self, **changes):
        return dataclasses.replace(self, **changes)


def parse_kind(kind):
    """The architecture and form of `qwen-genai`."""
    architecture, form = "qwen", "optimum"
    for word in kind.split("-"):
        if word in ARCHITECTURES:
            architecture = word
        elif word in FORMS:
            form = word
        else:
            raise ValueError(f"'{word}' is no kind of decoder; there are {', '.join(ARCHITECTURES + FORMS)}")
    return architecture, form


def make_weights(spec):
    """Names to float32. Scores of the attention have a deviation of about 2, so that it selects; its output and that
    of the MLP are as large as the stream; logits have a deviation of about 3."""
    random = np.random.default_rng(spec.seed)
    weights = {}

    def matrix(name, rows, columns, scale=1.0):
        weights[name] = (random.standard_normal((rows, columns)) * scale * rows ** -0.5).astype(np.float32)

    def vector(name, size, mean, scale):
        weights[name] = (mean + scale * random.standard_normal(size)).astype(np.float32)

    weights["model.embed_tokens.weight"] = random.standard_normal((spec.vocabulary, spec.hidden)).astype(np.float32)
    q_size, kv_size = spec.hidden, spec.kv_heads * spec.head_size
    for i in range(spec.layers):
        at = f"model.layers.{i}"
        vector(f"{at}.input_layernorm.weight", spec.hidden, 1, 0.1)
        for part, size in (("q", q_size), ("k", kv_size), ("v", kv_size)):
            matrix(f"{at}.self_attn.{part}_proj.weight", spec.hidden, size, 1.0 if part == "v" else 1.4)
            bias = 0.3 * random.standard_normal(size).astype(np.float32)
            if spec.architecture == "qwen":
                weights[f"{at}.self_attn.{part}_proj.bias"] = bias
        matrix(f"{at}.self_attn.o_proj.weight", q_size, spec.hidden, 1.4)
        vector(f"{at}.post_attention_layernorm.weight", spec.hidden, 1, 0.1)
        matrix(f"{at}.mlp.gate_proj.weight", spec.hidden, spec.inner)
        matrix(f"{at}.mlp.up_proj.weight", spec.hidden, spec.inner)
        matrix(f"{at}.mlp.down_proj.weight", spec.inner, spec.hidden, 1.5)
    vector("model.norm.weight", spec.hidden, 1, 0.1)
    matrix("lm_head.weight", spec.hidden, spec.vocabulary, 3.0)
    return weights
