"""Near ties and wrong tokens: planted faults among the noise of float16, int8 and int4."""

import os
import re

import numpy as np
import onnx
import pytest

import decoders
from polygraphy_command import polygraphy
from wrong_tokens import WrongTokens

FORMATS = [("f16", ""), ("f32", "int8"), ("f32", "int4")]
# More seeds: POLYGRAPHY_SEEDS=0..25.
FIRST, LAST = map(int, os.environ.get("POLYGRAPHY_SEEDS", "0..1").split(".."))


def wrong_positions(folder, model, quantized):
    done = polygraphy("run", model, "--onnxrt", "--load-inputs", "samples.json", "--load-outputs", "reference.json",
                      "--compare", "tokens", "--noise-floor", *(["--quantization-noise"] if quantized else []),
                      cwd=folder)
    assert "tokens, none flips" in done.text or "flip" in done.text, done.text
    found, sample = set(), -1
    for line in done.text.splitlines():
        if re.search(r"tokens \| Comparing Output: 'logits'", line):
            sample += 1
        if at := re.search(r"Position \[0, (\d+)\]: token", line):
            found.add((sample, int(at[1])))
    assert (done.code == 0) == (not found), done.text
    return found


def misplace_half_of_a_layer(source, target, seed):
    """Half of the channels of one MatMulNBits have their neighbour's numbers."""
    model = onnx.load(source)
    nodes = [node for node in model.graph.node if node.op_type == "MatMulNBits"]
    node = nodes[np.random.default_rng(seed).integers(len(nodes) - 1)]  # the last one makes the logits
    tensor = next(tensor for tensor in model.graph.initializer if tensor.name == node.input[1])
    values = onnx.numpy_helper.to_array(tensor).copy()
    half = len(values) // 2
    values[:half] = np.roll(values[:half], 1, axis=0)
    tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    onnx.save(model, target)


# Each flip could be a near tie, but not the error of all rows together.
@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_half_a_wrong_layer_is_told_from_noise(tmp_path, seed):
    spec = decoders.Spec(architecture="qwen", form="nocache", quantized="int4", seed=seed, hidden=256)
    WrongTokens(spec).save(tmp_path)
    feeds = [str(tmp_path / "samples" / f"{i}.npz") for i in range(8)]
    polygraphy("run", "reference.onnx", "--onnxrt", "--load-inputs", *feeds, "--save-inputs", "samples.json",
               "--save-outputs", "reference.json", cwd=tmp_path, code=0)
    misplace_half_of_a_layer(tmp_path / "healthy.onnx", tmp_path / "broken.onnx", seed)
    done = polygraphy("run", "broken.onnx", "--onnxrt", "--load-inputs", "samples.json", "--load-outputs",
                      "reference.json", "--compare", "tokens", "--noise-floor", "--quantization-noise", cwd=tmp_path)
    assert done.code == 1, done.text
    excess = [float(one) for one in re.findall(r"Error of all logits: (\S+)× their noise", done.text)]
    assert len(excess) == 8 and min(excess) > 1, excess


@pytest.mark.parametrize("type, quantized", FORMATS)
@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_one_wrong_token_is_told_from_noise(tmp_path, type, quantized, seed):
    spec = decoders.Spec(architecture="qwen", form="nocache", type=type, quantized=quantized, seed=seed, hidden=256)
    planted = WrongTokens(spec)
    planted.save(tmp_path)
    feeds = [str(tmp_path / "samples" / f"{i}.npz") for i in range(len(planted.samples))]
    polygraphy("run", "reference.onnx", "--onnxrt", "--load-inputs", *feeds, "--save-inputs", "samples.json",
               "--save-outputs", "reference.json", cwd=tmp_path, code=0)
    assert wrong_positions(tmp_path, "target.onnx", quantized) == {(planted.sample, planted.position)}
    assert wrong_positions(tmp_path, "healthy.onnx", quantized) == set()
