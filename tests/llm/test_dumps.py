"""Dumps of other programs: their traps are named before they are compared, and right ones raise no alarm."""

import json
import struct

import numpy as np
import onnx
import onnxruntime
import pytest

import decoders
from decoding import token_ids

TRAPS = ("are all zero", "all NaN", "have no name that")
SPEC = decoders.Spec(form="nocache", layers=3)


def captures(spec, ids, wanted=None):
    """All floats that a decoder computes, by the names of its tensors; or `wanted`: names of captures and tensors."""
    model = decoders.make(spec)
    inferred = onnx.shape_inference.infer_shapes(model)
    floats = {value.name for value in inferred.graph.value_info
              if value.type.tensor_type.elem_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)}
    names = list(wanted.values()) if wanted else [name for node in model.graph.node for name in node.output
                                                  if name in floats or name == "logits"]
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in dict.fromkeys(names))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    found = dict(zip([output.name for output in session.get_outputs()], session.run(None, {"input_ids": ids})))
    return {name: found[tensor] for name, tensor in wanted.items()} if wanted else found


def hidden_states(spec=SPEC, ids=token_ids(SPEC)):
    """Outputs of layers as hooks of transformers see them: [1, tokens, hidden]."""
    wanted = {f"model.layers.{i}": f"/model/layers.{i}/Add_1" for i in range(spec.layers)}
    return captures(spec, ids, {**wanted, "logits": "logits"})


def save_npz(path, arrays):
    np.savez(path, **arrays)
    return path


def save_safetensors(path, arrays):
    header, begin = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": {"float32": "F32", "float16": "F16"}[str(array.dtype)], "shape": array.shape,
                        "data_offsets": [begin, begin + array.nbytes]}
        begin += array.nbytes
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    return path


@pytest.fixture(params=[("npz", save_npz), ("safetensors", save_safetensors)], ids=["npz", "safetensors"])
def compare(request, polygraphy, tmp_path):
    extension, save = request.param

    def run(one, other):
        return polygraphy("run", "--load-outputs", save(tmp_path / f"one.{extension}", one),
                          save(tmp_path / f"other.{extension}", other), "--atol", "0.2", "--rtol", "0.2")
    return run


def traps_in(ran):
    return {trap for trap in TRAPS for line in ran.text.splitlines() if line.startswith("[W]") and trap in line}


def test_all_tensors_of_right_models(compare):
    for other in (SPEC, SPEC.with_(type="f16"), SPEC.with_(quantized="int4")):
        ids = token_ids(SPEC)
        ran = compare(captures(SPEC, ids), captures(other, ids))
        assert traps_in(ran) == set()
        assert "Iteration: 0" in ran.text


def test_other_seeds_are_wrong_but_no_trap(compare):
    ran = compare(hidden_states(), hidden_states(SPEC.with_(seed=1)))
    assert ran.code == 1 and traps_in(ran) == set()


def test_many_zeros_and_tied_weights(compare):
    states = {name: np.maximum(array, 0) for name, array in hidden_states().items()}
    tied = np.random.default_rng(0).standard_normal((97, 64)).astype(np.float32)
    states.update({"embed_tokens.weight": tied, "lm_head.weight": tied, "mask": np.zeros((12, 12), np.float32)})
    ran = compare(states, states)
    assert ran.code == 0 and traps_in(ran) == set()


def test_zeros(compare):
    empty = {name: np.zeros_like(array) if "layers" in name else array for name, array in hidden_states().items()}
    ran = compare(hidden_states(), empty)
    assert ran.code == 1 and traps_in(ran) == {"are all zero"}
    assert "'model.layers.0', 'model.layers.1', 'model.layers.2' (3 of 4)" in ran.text


def test_zeros_on_both_sides_prove_nothing(compare):
    empty = {name: np.zeros_like(array) for name, array in hidden_states().items()}
    ran = compare(empty, empty)
    assert "Outputs of one." in ran.text and "are all zero on both sides" in ran.text
    assert "[W] Nothing was compared: 4 of 4 outputs are all zero on both sides" in ran.text
    assert ran.code == 1
    some = {**empty, "logits": hidden_states()["logits"]}
    assert "are all zero on both sides: 'model.layers.0'" in compare(some, some).text


def test_verdicts_say_what_zeros_prove(polygraphy, tmp_path):
    states = hidden_states()
    states["mask"] = np.zeros((12, 12), np.float32)
    path = save_npz(tmp_path / "dump.npz", states)
    assert polygraphy("run", "--load-outputs", path, path, "--report", "report.html").code == 0
    report = (tmp_path / "report.html").read_text()
    assert "1 of 5 outputs is all zero on both sides" in report


def test_nans(compare):
    wrong = hidden_states()
    wrong["model.layers.2"] = np.full_like(wrong["model.layers.2"], np.nan)
    assert traps_in(compare(hidden_states(), wrong)) == {"all NaN"}


def test_no_name_in_common(compare):
    other = {f"captured_{i}": array for i, array in enumerate(hidden_states().values())}
    ran = compare(hidden_states(), other)
    assert traps_in(ran) == {"have no name that"}


def test_results_of_runners_raise_no_alarm(polygraphy, tmp_path):
    """Their zeros are those of the model."""
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["": 17]> g (float[3] x) => (float[3] y, float[3] z)'
                                    " { y = Sub(x, x) z = Sub(x, x) }")
    onnx.save(model, tmp_path / "zeros.onnx")
    ran = polygraphy("run", "zeros.onnx", "--onnxrt", "--save-outputs", "zeros.npz")
    assert ran.code == 0, ran.text
    ran = polygraphy("run", "zeros.onnx", "--onnxrt", "--load-outputs", "zeros.npz")
    assert ran.code == 0 and traps_in(ran) == set(), ran.text
