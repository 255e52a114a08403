"""`inspect model` prints what the original prints, character by character."""
import glob
import os
import re

import pytest
from differences import expect
from harness import both

SHOWS = [[], ["layers"], ["layers", "attrs"], ["layers", "attrs", "weights"], ["weights"], ["attrs"]]


# ONNX's numbers of types that the original has no name for.
NAMES = {"14": "complex64", "15": "complex128", "24": "float8e8m0", "25": "uint2", "26": "int2"}


def with_names(text):
    text = re.sub(r"^\[W\] Could not convert: .*\n", "", text, flags=re.M)
    text = text.replace(" [dtype=0, shape=()]", "")
    return re.sub(r"dtype=(\d+)", lambda m: "dtype=" + NAMES[m[1]], text)


def models(testdata):
    light = sorted(glob.glob(os.path.join(testdata, "light", "*.onnx")))
    node = sorted(glob.glob(os.path.join(testdata, "node", "*", "model.onnx")))
    converted = sorted(glob.glob(os.path.join(testdata, "pytorch-*", "*", "model.onnx")))
    simple = sorted(glob.glob(os.path.join(testdata, "simple", "*", "model.onnx")))
    assert len(light) == 9 and len(node) > 1000
    return light, node[::40], converted[::20], simple[::4]


@pytest.mark.parametrize("group", range(4), ids=["light", "node", "converted", "simple"])
def test_texts_are_equal(testdata, tmp_path, group):
    for i, model in enumerate(models(testdata)[group]):
        shows = SHOWS if group == 0 and i < 3 else [SHOWS[3], SHOWS[i % len(SHOWS)]]
        for show in shows:
            args = ["inspect", "model", model] + (["--show", *show] if show else [])
            ours, original = both(args, tmp_path)
            text = original.stdout
            if "Could not convert: " in text:
                if "dtype=0" in text:
                    expect("values-without-a-type", ours.stdout, text)
                elif re.search(r"dtype=\d", text):
                    expect("types-the-original-cannot-name", ours.stdout, text)
                text = with_names(text)
            assert (ours.code, ours.stdout) == (original.code, text), f"{model} --show {show}"


def test_magika(magika, tmp_path):
    ours, original = both(["inspect", "model", magika, "--show", "layers", "attrs", "weights"], tmp_path)
    assert ours == original
