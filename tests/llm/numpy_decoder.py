"""A decoder of decoders.py in NumPy and float64: what the models have to compute, and the range of what they do."""

import numpy as np

from decoder_spec import EPSILON, THETA


def logits(spec, weights, ids, seen=None):
    """[tokens, vocabulary] of one row of token ids. `seen(name, x)` gets the input of each product with weights."""
    def linear(x, name):
        if seen:
            seen(name, x)
        return x @ weights[f"{name}.weight"].astype(np.float64) + weights.get(f"{name}.bias", 0.0)

    def norm(x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * weights[f"{name}.weight"]

    def heads(x):
        return x.reshape(len(ids), -1, spec.head_size).transpose(1, 0, 2)

    half = spec.head_size // 2
    angles = np.arange(len(ids))[:, None] * THETA ** -(np.arange(half) / half)

    def rotated(x):
        first, second = x[..., :half], x[..., half:]
        return np.concatenate([first * np.cos(angles) - second * np.sin(angles),
                               second * np.cos(angles) + first * np.sin(angles)], -1)

    hidden_from = np.triu(np.full((len(ids), len(ids)), -np.inf), 1)
    x = weights["model.embed_tokens.weight"].astype(np.float64)[np.asarray(ids)]
    for i in range(spec.layers):
        at = f"model.layers.{i}"
        y = norm(x, f"{at}.input_layernorm")
        q, k, v = (heads(linear(y, f"{at}.self_attn.{part}_proj")) for part in "qkv")
        k, v = (np.repeat(part, spec.heads // spec.kv_heads, axis=0) for part in (rotated(k), v))
        scores = rotated(q) @ k.transpose(0, 2, 1) * spec.head_size ** -0.5 + hidden_from
        if spec.window(i):
            scores = scores + np.tril(np.full((len(ids), len(ids)), -np.inf), -spec.window(i))
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ v
        x = x + linear(mixed.transpose(1, 0, 2).reshape(len(ids), -1), f"{at}.self_attn.o_proj")
        y = norm(x, f"{at}.post_attention_layernorm")
        gate = linear(y, f"{at}.mlp.gate_proj")
        inner = gate / (1 + np.exp(-gate)) * linear(y, f"{at}.mlp.up_proj")
        x = x + linear(inner, f"{at}.mlp.down_proj")
    return linear(norm(x, "model.norm"), "lm_head")


def largest_inputs(spec, weights):
    """The largest |x| that each product with weights gets, over some random rows of tokens."""
    largest = {}
    random = np.random.default_rng(spec.seed + 1)
    for _ in range(8):
        logits(spec, weights, random.integers(0, spec.vocabulary, 24),
               lambda name, x: largest.update({name: max(largest.get(name, 0.0), float(np.abs(x).max()))}))
    return largest
