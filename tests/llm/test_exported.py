"""Models of real exporters compute what those of decoders.py do. The tests need a Python with torch, transformers and the
exporter (exported.py says which): POLYGRAPHY_EXPORTERS_PYTHON is its path, or several, with a colon between them."""

import os
import subprocess

import numpy as np
import onnxruntime
import pytest

import decoders
import exported
import numpy_decoder
from decoding import token_ids

PROGRAMS = os.environ.get("POLYGRAPHY_EXPORTERS_PYTHON", "").split(":")
SCRIPT = os.path.abspath(exported.__file__)


def export(exporter, folder, architecture):
    for program in filter(None, PROGRAMS):
        done = subprocess.run([program, SCRIPT, exporter, str(folder), "--architecture", architecture],
                              capture_output=True, text=True, timeout=300)
        if done.returncode == 0:
            return
        assert done.returncode == exported.MISSING, done.stderr[-3000:]
    pytest.skip(f"no Python with {exporter} in POLYGRAPHY_EXPORTERS_PYTHON")


def in_pieces(session, spec, ids, lengths):
    """Logits of calls that take `lengths` tokens each; caches are the inputs of four axes or none, in the order of
    the outputs behind the logits."""
    inputs = {value.name: value.shape for value in session.get_inputs()}
    logits, cache, begin = [], {}, 0
    for name, shape in inputs.items():
        if len(shape) == 4:
            # Sizes may be names made of digits.
            length = spec.max_length if str(shape[2]) == str(spec.max_length) else 0
            cache[name] = np.zeros((1, spec.kv_heads, length, spec.head_size), np.float32)
        elif not shape:
            cache[name] = np.array(0)
    for length in lengths:
        at = np.arange(begin, begin + length)
        feed = {"input_ids": ids[:, at], "attention_mask": np.ones((1, begin + length), np.int64),
                "position_ids": at[None], "cache_position": at, **cache}
        first, *present = session.run(None, {name: feed[name] for name in inputs})
        cache = dict(zip(cache, present))
        logits.append(first[0])
        begin += length
    return np.concatenate(logits)


@pytest.mark.parametrize("exporter", exported.EXPORTERS)
@pytest.mark.parametrize("architecture", decoders.ARCHITECTURES)
def test_exporter(tmp_path, exporter, architecture):
    export(exporter, tmp_path, architecture)
    spec = decoders.Spec(architecture)
    ids = token_ids(spec)
    expected = numpy_decoder.logits(spec, decoders.make_weights(spec), ids[0])
    session = onnxruntime.InferenceSession(str(tmp_path / "model.onnx"))
    for lengths in ([12], [7, 1, 1, 1, 1, 1], [5, 4, 3]):
        assert np.abs(in_pieces(session, spec, ids, lengths) - expected).max() < 2e-5
