"""Near ties and wrong tokens: planted faults among the noise of float16, int8 and int4."""

import os
import re

import numpy as np
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
