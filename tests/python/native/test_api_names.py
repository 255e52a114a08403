"""A name of a tensor that the model does not have is an error of every call that takes names."""

import numpy as np
import onnx.parser
import pytest

import polygraphy_native as pn
from api_models import LAYERS

SUM = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 2] first, float[N, 2] second) => (float[N, 2] total) {
  twice = Add (first, first)
  total = Add (twice, second)
}"""

ONES = np.ones((1, 2), np.float32)
FEED = {"first": ONES, "second": ONES}
BOTH = ["onnxrt", "onnxrt"]


@pytest.fixture(params=["in memory", "in a file"])
def model(request, tmp_path):
    found = pn.Model.from_proto(onnx.parser.parse_model(SUM))
    if request.param == "in memory":
        return found
    found.save(tmp_path / "sum.onnx")
    return tmp_path / "sum.onnx"


RUNS = {
    "run": lambda model, **names: pn.run(model, **names),
    "compare": lambda model, **names: pn.compare(model, backends=BOTH, **names),
    "locate": lambda model, **names: pn.locate(model, "onnxrt", "onnxrt", **names),
    "sensitivity": lambda model, **names: pn.sensitivity(model, **names),
    "benchmark": lambda model, **names: pn.benchmark(model, "onnxrt", runs=1, **names),
    "check_consistency": lambda model, **names: pn.check_consistency(
        model, "onnxrt", only=["repeat"], **names),
    "lint": lambda model, **names: pn.lint(model, **names),
    "reduce": lambda model, **names: pn.reduce(model, check=lambda each: False, **names),
    "build_engine": lambda model, **names: pn.build_engine(model, "x.engine", **names),
}  # fmt: skip

INPUTS = {
    "further": {"inputs": {**FEED, "secnd": ONES}},
    "wrong": {"inputs": {"first": ONES, "secnd": ONES}},
    "shapes": {"input_shapes": {"secnd": [1, 2]}},
    "shapes beside inputs": {"inputs": FEED, "input_shapes": {"secnd": [1, 2]}},
    "ranges": {"val_range": {"secnd": (0, 1)}},
}


@pytest.mark.parametrize("names", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("call", RUNS.values(), ids=RUNS)
def test_inputs(call, names, model):
    if "val_range" in names and call is RUNS["lint"]:
        pytest.skip("lint has no ranges")
    with pytest.raises(pn.Error) as error:
        call(model, **names)
    assert error.value.message == "The model has no input 'secnd'."
    assert error.value.hint == "Did you mean 'second'?\nIts inputs: first, second."


@pytest.mark.parametrize("call", [RUNS[name] for name in ("run", "compare", "locate")])
def test_inputs_of_an_iterator(call, model):
    feeds = [FEED, {**FEED, "secnd": ONES}]
    with pytest.raises(pn.Error, match="The model has no input 'secnd'"):
        call(model, inputs=iter(feeds))


def test_shapes_of_a_benchmark(model):
    with pytest.raises(pn.Error, match="The model has no input 'secnd'"):
        pn.benchmark(model, "onnxrt", shapes=[{"first": [1, 2]}, {"secnd": [1, 2]}], runs=1)


def test_patterns_and_items_of_sequences_are_names(model):
    assert pn.run(model, input_shapes={"*": [3, 2]})[0].outputs["total"].shape == (3, 2)
    with pytest.raises(pn.Error, match=r"The model has no input 'fir\*x'"):
        pn.run(model, input_shapes={"fir*x": [3, 2]})
    sequence = pn.Model.from_proto(onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17]>
        g (seq(float[2]) s) => (float[M] y) { y = ConcatFromSequence <axis = 0> (s) }"""))
    (result,) = pn.run(sequence, val_range={"s[1]": (8, 8)})
    assert result.outputs["y"][2] == 8


def test_constants_cannot_be_fed():
    """Engines use the value in the model."""
    model = pn.Model.from_proto(onnx.parser.parse_model(LAYERS))
    with pytest.raises(pn.Error, match="'w' is a constant of the model, no input") as error:
        pn.run(model, inputs={"x": np.ones((1, 4), np.float32), "w": np.ones((4, 4), np.float32)})
    assert error.value.hint == "To change its values: Model.set_array()."


OUTPUTS = {
    "atol": {"atol": {"totl": 1}},
    "rtol": {"rtol": {"total": 1, "totl": 1}},
    "check_error_stat": {"check_error_stat": {"totl": "max"}},
    "postprocess": {"postprocess": {"totl": "top-1"}},
    "an option of a metric": {"metric": "snr", "snr_threshold": {"totl": 1}},
}


@pytest.mark.parametrize("names", OUTPUTS.values(), ids=OUTPUTS)
def test_outputs(names, model):
    results = pn.run(model, inputs=FEED)
    for call in (lambda: pn.compare(model, backends=BOTH, inputs=FEED, **names),
                 lambda: pn.compare(results, results, **names)):
        with pytest.raises(pn.Error) as error:
            call()
        assert error.value.message == "The results have no output 'totl'."
        assert error.value.hint == "Did you mean 'total'?\nOutputs: total."


def test_outputs_of_a_consistency_check(model):
    for names in ({"atol": {"totl": 1}}, {"rtol": {"totl": 1}}):
        with pytest.raises(pn.Error, match="The model has no output 'totl'"):
            pn.check_consistency(model, "onnxrt", inputs=FEED, only=["repeat"], **names)
    with pytest.raises(pn.Error, match="no input 'secnd'"):
        pn.check_consistency(model, "onnxrt", inputs=FEED, batch_inputs=["secnd"])


def test_names_of_one_model():
    def fresh():
        return pn.Model.from_proto(onnx.parser.parse_model(SUM))

    for call in (
        lambda model: model.sanitize(cleanup=True, override_input_shapes={"secnd": [1, 2]}),
        lambda model: model.sanitize(cleanup=True, verify=True, val_range={"secnd": (0, 1)}),
        lambda model: model.sanitize(cleanup=True, outputs=["secnd"]),
        lambda model: model.sanitize(cleanup=True, exclude_outputs=["secnd"]),
        lambda model: model.sanitize(set_unbounded_dds_upper_bound={"secnd": 5}),
        lambda model: model.extract(inputs=["secnd"]),
        lambda model: model.extract(outputs=["secnd"]),
        lambda model: model.extract(inputs=["twice", "second"], feed={"secnd": ONES},
                                    force_fallback_shape_inference=True),
        lambda model: model.array("secnd"),
        lambda model: model.set_array("secnd", ONES),
    ):
        with pytest.raises((pn.Error, KeyError), match="secnd"):
            call(fresh())
