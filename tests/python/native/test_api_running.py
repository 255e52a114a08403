"""polygraphy_native.run() and compare(), on real engines."""

import html
import logging
import subprocess
import sys
import traceback

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import MAGIKA, PLUS, need, proto

ONES = {"x": np.ones((2, 3), np.float32)}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto())


@pytest.fixture
def other(model):
    changed = model.copy()
    changed.set_array("c", np.float32([1, 2, 4]))
    return changed


def test_engines():
    found = {each.name: each for each in pn.backends()}
    assert found["onnxrt"].available and found["onnxrt"].version and found["onnxrt"].library
    assert all(each.available or each.reason for each in found.values())


def test_one_set_of_inputs(model):
    (result,) = pn.run(model, inputs=ONES)
    assert result.outputs["z"].tolist() == [[2, 6, 12]] * 2
    assert result.runtime_s > 0 and result.backend.startswith("onnxrt-runner-N0-")


def test_inputs_are_asked_for_one_by_one(model):
    asked = []

    def feeds():
        for i in range(4):
            asked.append(i)
            yield {"x": np.full((2, 3), i, np.float32)}

    results = pn.run(model, inputs=feeds(), outputs=["y"])
    assert [result.outputs["y"][0, 0] for result in results] == [1, 2, 3, 4]
    assert asked == [0, 1, 2, 3]


def test_generated_inputs_follow_the_seed(model):
    def first(**options):
        return pn.run(model, outputs=["x"], **options)[0].outputs["x"]

    assert np.array_equal(first(), first()) and not np.array_equal(first(), first(seed=2))
    assert first(val_range=(5, 6)).min() >= 5
    assert len(pn.run(model, iterations=3)) == 3


def test_all_tensors(model):
    (result,) = pn.run(model, inputs=ONES, outputs="mark all")
    assert set(result.outputs) == {"y", "w", "z"}


def test_results_outlive_their_engine_and_cannot_be_written_to(model):
    outputs = [each.outputs["z"] for each in pn.run(model, inputs=[ONES] * 50)]
    assert all(array.tolist() == [[2, 6, 12]] * 2 for array in outputs)
    with pytest.raises(ValueError, match="read-only"):
        outputs[0][0] = 1


def test_changed_models_are_run_as_they_are(model, tmp_path):
    model.save(tmp_path / "m.onnx")
    loaded = pn.load(tmp_path / "m.onnx")
    loaded.set_array("c", np.zeros(3, np.float32))
    assert not pn.run(loaded, inputs=ONES)[0].outputs["z"].any()
    assert pn.run(tmp_path / "m.onnx", inputs=ONES)[0].outputs["z"].any()


def test_inputs_of_every_kind():
    text = """<ir_version: 8, opset_import: ["" : 17]>
        g (seq(float[N]) s, string[2] t) => (float[M] y, string[2] u) {
          y = ConcatFromSequence <axis = 0> (s)
          u = Identity (t)
        }"""
    (result,) = pn.run(pn.Model.from_proto(proto(text)), inputs={
        "s": [np.float32([1, 2]), np.float32([3])], "t": np.array(["a", "ä"], object)})
    assert result.outputs["y"].tolist() == [1, 2, 3] and result.outputs["u"].tolist() == ["a", "ä"]


def test_lists_of_numbers_are_arrays(model):
    for ones in ([[1, 1, 1], [1, 1, 1]], ((1.0, 1, 1),) * 2):
        (result,) = pn.run(model, inputs={"x": ones})
        assert result.outputs["z"].tolist() == [[2, 6, 12]] * 2
    with pytest.raises(pn.Error, match="input 'x': the list is not an array") as error:
        pn.run(model, inputs={"x": [[1, 1, 1], [1]]})
    assert "numpy.array" in error.value.hint


@pytest.mark.parametrize("inputs, said", [
    ({"nothing": np.zeros(1)}, "x"), ({"x": np.zeros((3, 3))}, "x.*shape"), ([1], "dicts of names")])
def test_inputs_that_do_not_fit(model, inputs, said):
    with pytest.raises(pn.Error, match=said):
        pn.run(model, inputs=inputs)


def test_engines_that_are_not_there(model):
    with pytest.raises(pn.Error, match="'nothing'") as error:
        pn.run(model, backend="nothing")
    assert "onnxrt" in error.value.hint
    with pytest.raises(pn.Error, match="libnothing"):
        pn.run(model, backend=pn.Backend("onnxrt", library="/nowhere/libnothing.so"))


def test_options_of_engines(model):
    backend = pn.Backend("onnxrt", options={"graph_optimization_level": "ORT_DISABLE_ALL"})
    assert pn.run(model, backend=backend, inputs=ONES)[0].outputs["z"].tolist() == [[2, 6, 12]] * 2
    with pytest.raises(pn.Error, match="nonsense"):
        pn.run(model, backend=pn.Backend("onnxrt", options={"providers": ["nonsense"]}))


def test_a_process_of_its_own(model):
    (result,) = pn.run(model, inputs=ONES, isolate=True)
    assert result.outputs["z"].tolist() == [[2, 6, 12]] * 2


def test_time_that_an_inference_may_take():
    with pytest.raises(pn.Error, match="0.0001"):
        pn.run(MAGIKA, timeout=0.0001)


def test_two_engines_agree(model):
    need("openvino")
    report = pn.compare(model, backends=["onnxrt", "openvino"], iterations=2)
    assert report and report.passed and not report.failed
    assert [(each.iteration, each.output, each.metric) for each in report.comparisons] == [
        (0, "z", "simple"), (1, "z", "simple")]
    assert report.comparisons[0].limits == {"atol": 1e-5, "rtol": 1e-5}
    assert "PASSED | simple" in report.text
    assert report.answer.agreement == "agrees" and report.answer.samples == 2
    assert report.answer.headline.startswith(
        "1 output of openvino-runner-N0 and onnxrt-runner-N0 in 2 samples agrees within the tolerances")


def test_a_real_model_on_two_engines():
    need("openvino")
    report = pn.compare(MAGIKA, backends=["onnxrt", "openvino"], atol=1e-4)
    assert report and report.comparisons[0].figures["max_absdiff"] < 1e-4


def test_results_of_two_runs(model, other):
    first, second = pn.run(model, inputs=ONES), pn.run(other, inputs=ONES)
    report = pn.compare(first, second)
    (failed,) = report.failed
    assert not report and failed.figures["max_absdiff"] == 8 and "FAILED" in report.text
    answer = report.answer
    assert (answer.agreement, answer.compared, answer.off, answer.worst) == ("differs", 1, 1, "z")
    assert not answer and (answer.target, answer.reference) == tuple(reversed(failed.backends))
    assert pn.compare(first, second, atol=8) and pn.compare(first, second, atol={"z": 8})
    assert not pn.compare(first, second, atol={"": 8, "z": 1})
    assert pn.compare(first, first, rtol=0, atol=0)


def softmax(logits):
    return np.exp(logits) / np.exp(logits).sum()


def test_tokens_are_counted():
    def logits(*rows):
        return pn.RunResult({"logits": np.float32([rows])})

    first, second = logits([1, 2, 3], [5, 1, 1]), logits([1, 2, 3], [1, 5, 1])
    answer = pn.compare([first], [second], metric="tokens").answer
    counts = answer.tokens
    assert not answer and (counts.compared, counts.flips, counts.near_ties, counts.wrong) == (2, 1, 0, 1)
    assert counts.first_wrong == "logits[0, 1]" and not counts.noise_known
    assert counts.all_flips == (
        pn.TokenFlip(sample=0, place="logits[0, 1]", token=0, instead=1, margin=4, allowed=0, wrong=True),)
    ours, theirs = softmax([5, 1, 1]), softmax([1, 5, 1])
    assert counts.mean_divergence == pytest.approx((ours * np.log(ours / theirs)).sum() / 2)
    assert counts.divergence_error == pytest.approx(counts.mean_divergence)
    assert pn.compare([first], [second]).answer.tokens is None


def test_pairs_are_counted():
    def run(value):
        return [pn.RunResult({"z": np.float32([value])})]

    answer = pn.compare(run(1), run(1), run(2)).answer
    assert (answer.pairs, answer.compared, answer.off) == (2, 2, 1)
    assert answer.headline.startswith("1 of 2 outputs of 2 pairs of runners differs by more than the tolerances")


def test_iterations_that_one_run_lacks_are_said():
    def runs(count):
        return [pn.RunResult({"z": np.float32([i])}) for i in range(count)]

    report = pn.compare(runs(3), runs(2))
    assert report.answer.samples == 2 and "different numbers of iterations" in report.text
    assert report.answer.headline.endswith(": only the first 2 iterations are in all results")
    assert "only the first" not in pn.compare(runs(2), runs(2)).answer.headline


def test_results_of_one_s_own(model):
    ours = [pn.RunResult({"z": np.float32([[2, 6, 12]] * 2)})]
    assert pn.compare(pn.run(model, inputs=ONES), ours)


def test_metrics(model, other):
    runs = pn.run(model, inputs=ONES), pn.run(other, inputs=ONES)
    report = pn.compare(*runs, metric=["l2", "cosine_similarity"], l2_threshold=100)
    assert [(each.metric, each.passed) for each in report.comparisons] == [("l2", True), ("cosine_similarity", False)]
    assert report.comparisons[0].figures["l2_norm"] == pytest.approx(np.sqrt(2) * 8)
    with pytest.raises(pn.Error, match="'nothing'"):
        pn.compare(*runs, nothing=1)
    with pytest.raises(pn.Error, match="metric 'nothing'"):
        pn.compare(*runs, metric="nothing")
    with pytest.raises(pn.Error, match="nothing"):
        pn.compare(*runs, check_error_stat="nothing")


def test_validation_and_postprocessing():
    text = PLUS.replace("Relu (y)", "Log (y)")
    model = pn.Model.from_proto(proto(text))
    bad = {"x": np.full((2, 3), -5, np.float32)}
    report = pn.compare(model, backends=["onnxrt", "onnxrt"], inputs=bad, validate=True)
    assert not report and {each.output for each in report.invalid} == {"z"}
    assert pn.compare(model, backends=["onnxrt", "onnxrt"], inputs=ONES, postprocess="top-2")
    results = pn.run(model, inputs=bad)
    report = pn.compare(results, results, validate=True)
    assert not report and [(each.iteration, each.output) for each in report.invalid] == [(0, "z"), (0, "z")]


def test_postprocessing_of_results(model, other):
    runs = pn.run(model, inputs=ONES), pn.run(other, inputs=ONES)
    assert not pn.compare(*runs) and pn.compare(*runs, postprocess="top-1")  # the same places


def test_nothing_to_compare(model):
    for wrong in (lambda: pn.compare(model, backends=["onnxrt"]), lambda: pn.compare([], []),
                  lambda: pn.compare(model, backends=["onnxrt", "onnxrt"], iterations=0)):
        with pytest.raises(pn.Error):
            wrong()
    with pytest.raises(TypeError):
        pn.compare(model, [], backends=["onnxrt", "onnxrt"])


def test_an_engine_that_fails_while_others_go_on(model):
    gone = pn.Backend("onnxrt", library="/nowhere/libnothing.so")
    with pytest.raises(pn.Error, match="libnothing"):
        pn.compare(model, backends=["onnxrt", "onnxrt", gone])


def test_messages_go_to_logging(model, caplog):
    with caplog.at_level(logging.INFO, "polygraphy_native"):
        pn.run(model, inputs=ONES)
    assert any("Inference Output(s)" in record.getMessage() for record in caplog.records)
    assert {record.name for record in caplog.records} == {"polygraphy_native"}
    caplog.clear()
    with caplog.at_level(logging.WARNING, "polygraphy_native"):
        pn.run(model, inputs=ONES)
    assert not caplog.records


def test_nothing_is_printed(model, capfd):
    pn.compare(model, backends=["onnxrt", "onnxrt"])
    pn.lint(model)
    assert capfd.readouterr() == ("", "")


INTEGERS = """<ir_version: 8, opset_import: ["" : 17]>
g (int32[2] count, float[2] weight) => (float[2] y) { c = Cast <to = 1> (count)  y = Mul (c, weight) }"""
WEIGHT = np.float32([1, 2])


@pytest.fixture
def integers():
    return pn.Model.from_proto(proto(INTEGERS))


@pytest.mark.parametrize("values, shown", [
    (np.array([2, 1.5]), "element 1 of the given float64 array is 1.5"),
    (np.array([np.nan, 1]), "element 0 of the given float64 array is nan"),
    (np.array([2**40, 1]), f"element 0 of the given int64 array is {2**40}"),
    (np.array([-1.0, 2**31]), "element 1 of the given float64 array is 2147483648.0"),
])
def test_numbers_that_an_integer_input_cannot_hold(integers, values, shown):
    with pytest.raises(pn.Error, match=f"Input 'count' is int32, and {shown}"):
        pn.run(integers, inputs={"count": values, "weight": WEIGHT})


@pytest.mark.parametrize("wanted, values, shown", [
    ("int64", np.uint64([1, 2**63]), f"element 1 of the given uint64 array is {2**63}"),
    ("uint64", np.int64([-1, 2]), "element 0 of the given int64 array is -1"),
    ("int8", np.array([1 + 2j, 3]), "the given array is complex128"),
    ("float", np.complex64([1, 3]), "the given array is complex64"),
])
def test_numbers_that_would_change_unseen(wanted, values, shown):
    text = f'<ir_version: 8, opset_import: ["": 17]> g ({wanted}[2] x) => ({wanted}[2] y) {{ y = Identity (x) }}'
    identity = pn.Model.from_proto(proto(text))
    with pytest.raises(pn.Error, match=f"Input 'x' is {wanted}.*{shown}"):
        pn.run(identity, inputs={"x": values})


@pytest.mark.parametrize("val_range", [(0,), (0, 1, 2), "[0,1]", 3, (0, 1j), (0, np.complex64(1j)), {"x": (0,)},
                                       {"x": None}, (0, None)])
def test_ranges_are_two_numbers(model, val_range):
    with pytest.raises(pn.Error, match=r"val_range.*\nGive \(least, greatest\)"):
        pn.run(model, val_range=val_range)


def test_ranges_may_be_arrays(model):
    assert pn.run(model, val_range=np.float32([0, 1]))


def test_inferences_before_the_first_are_not_negative(model):
    for job in (lambda: pn.run(model, warm_up=-1), lambda: pn.compare(model, backends=["onnxrt"] * 2, warm_up=-1),
                lambda: pn.benchmark(model, ["onnxrt"], warm_up=-1)):
        with pytest.raises(pn.Error, match="warm_up must not be negative, but is -1"):
            job()


def test_shapes_that_contradict_the_model(model):
    for shape in ([4, 3], [2, 3, 1]):
        with pytest.raises(pn.Error) as error:
            pn.run(model, input_shapes={"x": shape})
        assert f"x | It cannot have the shape {shape}: its shape in the model is [2, 3]" in str(error.value)
    with pytest.raises(pn.Error, match=r"'x'.*text.*\n.*\[1, 4\]"):
        pn.run(model, input_shapes={"x": "[2,3]"})


def test_numbers_that_fit_are_converted(integers):
    for values in (np.float64([3, -4]), np.int64([3, -4]), np.float16([3, -4])):
        (result,) = pn.run(integers, inputs={"count": values, "weight": np.float64([1, 2])})
        assert result.outputs["y"].tolist() == [3, -8]


def test_warnings_are_seen_without_a_log_set_up(tmp_path):
    program = f"""
import numpy as np, onnx.parser, polygraphy_native as pn
model = pn.Model.from_proto(onnx.parser.parse_model({INTEGERS!r}))
pn.run(model, inputs={{"count": np.int64([1, 2]), "weight": np.float32([1, 2])}})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Buffer dtype (int64) does not match expected input dtype (int32)" in done.stderr
    assert done.stdout == ""


def test_reports_are_one_line(model, other):
    report = pn.compare(pn.run(model, inputs=ONES), pn.run(other, inputs=ONES))
    assert repr(report) == "<CompareReport: passed=False, 1 comparisons, 0 invalid>"
    (result,) = pn.run(model, inputs=ONES)
    assert repr(result) == f"<RunResult of {result.backend}: z float32[2, 3]>"
    found = pn.diff(model, other)
    assert repr(found) == "<Diff: equal=False, 1 findings>"
    for each in (report, found):
        page = each._repr_html_()
        assert html.escape(repr(each)) in page and html.escape(each.text) in page


def test_every_report_is_one_line():
    from polygraphy_native._reports import _Report

    names = [name for name in pn.__all__ if name.endswith(("Report", "Description"))]
    assert len(names) >= 8
    assert not [name for name in names if not issubclass(getattr(pn, name), _Report)]


def test_public_names():
    shown = [name for name in dir(pn) if not name.startswith("__")]
    assert sorted(shown) == sorted(name for name in pn.__all__ if not name.startswith("__"))
    assert all(callable(getattr(pn, name)) for name in shown)


def test_errors_have_their_public_name(model):
    with pytest.raises(pn.Error) as error:
        pn.run(model, backend="nothing")
    assert traceback.format_exception_only(error.value)[0].startswith("polygraphy_native.Error: ")
