"""Calls of decoders.py's models on ONNX Runtime: a prefill, and steps that continue its cache."""

import numpy as np
import onnxruntime

from cache_names import cache_names, logits_name


class Decoding:
    """A cache, and the model that continues it. Rows may be padded on the left: `padding` tokens each."""

    def __init__(self, spec, model, rows, padding=None):
        self.spec, self.rows = spec, rows
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        self.padding = np.zeros(rows, np.int64) if padding is None else np.asarray(padding)
        self.names = [cache_names(spec.form, i) for i in range(spec.layers)] if spec.form != "nocache" else []
        self.restart()

    def restart(self):
        spec = self.spec
        self.length = 0
        dtype = np.float16 if spec.type == "f16" else np.float32

        def empty(layer):
            length = spec.max_length if spec.form == "shared" else spec.window(layer)
            return np.zeros((self.rows, spec.kv_heads, length, spec.head_size), dtype)
        self.cache = {name: empty(i) for i, (past, _) in enumerate(self.names) for name in past}

    def __call__(self, ids):
        """Logits [rows, tokens, vocabulary] of new tokens."""
        ids = np.asarray(ids, np.int64)
        total = self.length + ids.shape[1]
        at = np.arange(self.length, total)
        feed = {"input_ids": ids,
                "attention_mask": (np.arange(total) >= self.padding[:, None]).astype(np.int64),
                "position_ids": np.maximum(at - self.padding[:, None], 0),
                "cache_position": at, **self.cache}
        presents = [name for _, present in self.names for name in present]
        taken = {value.name for value in self.session.get_inputs()}
        logits, *cache = self.session.run([logits_name(self.spec.form), *presents],
                                          {name: value for name, value in feed.items() if name in taken})
        self.cache = dict(zip(self.cache, cache))
        self.length = total
        return logits.astype(np.float32)

    def split(self, ids, *lengths):
        """Logits of all tokens of `ids` when calls take them in pieces."""
        self.restart()
        pieces, begin = [], 0
        for length in lengths:
            pieces.append(self(ids[:, begin:begin + length]))
            begin += length
        assert begin == ids.shape[1]
        return np.concatenate(pieces, axis=1)


def token_ids(spec, rows=1, length=12, seed=5):
    return np.random.default_rng(seed).integers(0, spec.vocabulary, (rows, length))
