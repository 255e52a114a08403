"""`--data-loader valid`: models whose inputs are indices, shapes or divisors run; the default stays the original's."""
import os
import re

import numpy as np
import pytest
from harness import ROOT, run_original, run_ours
from models import save
from onnx import TensorProto, helper, numpy_helper

NODE = os.path.join(ROOT, ".deps", "onnx-testdata", "node")

# The default values, between 0 and 1, are invalid for these models.
MODELS = [
    "test_affine_grid_2d", "test_cumsum_1d_int32_exclusive", "test_div_int8", "test_div_uint64", "test_mod_uint16",
    "test_maxunpool_export_with_output_shape", "test_melweightmatrix", "test_onehot_with_axis", "test_reflect_pad",
    "test_reshape_reordered_all_dims", "test_resize_downsample_scales_linear", "test_resize_upsample_sizes_nearest",
    "test_slice", "test_split_to_sequence_2", "test_split_variable_parts_1d_opset18", "test_stft_with_window",
    "test_unsqueeze_three_axes", "test_hannwindow_expanded",
]


def model(name):
    return os.path.join(NODE, name, "model.onnx")


@pytest.mark.parametrize("name", MODELS)
def test_valid_inputs_run(name, tmp_path):
    result = run_ours(["run", model(name), "--onnxrt", "--data-loader", "valid"], tmp_path)
    assert result.code == 0, result.stdout + result.stderr
    assert "| Generating valid values: " in result.stdout


def test_random_ones_do_not(tmp_path):
    assert run_ours(["run", model("test_reflect_pad"), "--onnxrt"], tmp_path).code == 1


def test_open_dimensions_are_long_enough(tmp_path):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", "T", 1])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", "F", 65, 2])
    nodes = [
        helper.make_node("Pad", ["x", "pads"], ["padded"], mode="reflect"),
        helper.make_node("STFT", ["padded", "step", "", "frame"], ["y"]),
    ]
    constants = {"pads": [0, 32, 0, 0, 32, 0], "step": 16, "frame": 128}
    save(helper.make_graph(nodes, "g", [x], [y], [numpy_helper.from_array(np.array(v), k) for k, v in constants.items()]), tmp_path / "m.onnx")
    args = ["run", "m.onnx", "--onnxrt"]
    valid = run_ours([*args, "--data-loader", "valid"], tmp_path)
    assert valid.code == 0, valid.stderr
    assert "{x [dtype=float32, shape=(1, 64, 1)]}" in valid.stdout
    assert run_ours(args, tmp_path).code == 1
    given = run_ours([*args, "--data-loader", "valid", "--input-shapes", "x:[2,100,1]"], tmp_path)
    assert given.code == 0 and "{x [dtype=float32, shape=(2, 100, 1)]}" in given.stdout


def test_default_says_and_makes_the_same(tmp_path):
    for name in ("ours", "named"):
        more = ["--data-loader", "random"] if name == "named" else []
        run_ours(["run", model("test_add"), "--onnxrt", "--save-inputs", name + ".json", *more], tmp_path)
    run_original(["run", model("test_add"), "--onnxrt", "--save-inputs", "original.json"], tmp_path)
    ours = (tmp_path / "ours.json").read_text()
    assert ours == (tmp_path / "named.json").read_text()
    arrays = re.compile(r'"array": "([^"]*)"')
    assert arrays.findall(ours) == arrays.findall((tmp_path / "original.json").read_text())
