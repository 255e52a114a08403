"""`check lint` writes the original's report: the same entries, the same lists of nodes, the same exit code."""
import json

import lint_models
import pytest
from differences import expect
from harness import run_original, run_ours


def lint(run, path, folder, *options):
    """(exit code, report); entries of rules that the original lacks are left out."""
    output = folder / "report.json"
    output.unlink(missing_ok=True)
    result = run(["check", "lint", path, "-o", str(output), *options], str(folder))
    if not output.exists():
        return result.code, None
    report = json.loads(output.read_text())
    assert (report.pop("answer", None) is None) == (run is run_original)  # ours has the verdict besides
    report["summary"] = {key: sorted(names) for key, names in report["summary"].items()}
    report["lint_entries"] = [entry for entry in report["lint_entries"] if "rule" not in entry]
    return result.code, report


@pytest.mark.parametrize("make", lint_models.ALL, ids=lambda make: make.__name__)
def test_reports_are_equal(make, tmp_path):
    path = lint_models.write(make, tmp_path)
    original = lint(run_original, path, tmp_path)
    assert original[1] is not None
    assert lint(run_ours, path, tmp_path) == original


@pytest.mark.parametrize("shape", ["[2,3]", "[4,3]"])
def test_input_shapes_are_those_of_the_model_that_is_looked_at(shape, tmp_path):
    path = lint_models.write(lint_models.two_rows_or_more, tmp_path)
    ours, original = (lint(run, path, tmp_path, "--input-shapes", "x:" + shape) for run in (run_ours, run_original))
    assert ours == original and ours[0] == (0 if shape == "[2,3]" else 1)


def test_input_shapes_override_fixed_ones(tmp_path):
    path = lint_models.write(lint_models.two_rows, tmp_path)
    options = ["check", "lint", path, "--input-shapes", "x:[4,3]"]
    ours, original = (run(options, str(tmp_path)) for run in (run_ours, run_original))
    assert ours.code == original.code == 1
    expect("lint-overrides-fixed-shapes", ours.stdout + ours.stderr, original.stdout + original.stderr)


def console(result):
    return [line for line in result.stdout.splitlines() if "LINT | " in line]


@pytest.mark.parametrize("make", [lint_models.bad_matmul, lint_models.unused_node, lint_models.duplicate_names],
                         ids=lambda make: make.__name__)
def test_lines_are_equal(make, tmp_path):
    path = lint_models.write(make, tmp_path)
    ours, original = (console(run(["check", "lint", path], str(tmp_path))) for run in (run_ours, run_original))
    assert ours == original and ours


def test_what_is_no_model(tmp_path):
    path = lint_models.write(lint_models.unparseable, tmp_path)
    ours, original = (lint(run, path, tmp_path) for run in (run_ours, run_original))
    assert ours[0] == original[0] == 1
    messages = [report["lint_entries"][0].pop("message") for _, report in (ours, original)]
    assert ours == original
    expect("lint-says-what-the-file-is", *messages)


def summary(report):
    lists = "; ".join(f"{key}: {', '.join(report['summary'][key])}" for key in ("passing", "failing"))
    return "\n".join([*(entry["message"] for entry in report["lint_entries"]), lists])


@pytest.mark.parametrize("make, difference", [
    (lint_models.capture, "lint-knows-captures"), (lint_models.omitted_input, "lint-runs-omitted-inputs"),
    (lint_models.old_ir, "lint-old-ir")], ids=lambda value: getattr(value, "__name__", None))
def test_where_the_original_is_wrong(make, difference, tmp_path):
    path = lint_models.write(make, tmp_path)
    ours, original = (summary(lint(run, path, tmp_path)[1]) for run in (run_ours, run_original))
    expect(difference, ours, original)


def test_a_model_without_outputs(tmp_path):
    """Nothing of it can be seen: an error, as the checker's are."""
    path = lint_models.write(lint_models.no_outputs, tmp_path)
    ours, original = (lint(run, path, tmp_path) for run in (run_ours, run_original))
    assert (ours[0], original[0]) == (1, 0)
    expect("lint-no-outputs", summary(ours[1]), summary(original[1]))


def test_sequences_flow_from_node_to_node(tmp_path):
    code, report = lint(run_ours, lint_models.write(lint_models.sequence, tmp_path), tmp_path)
    assert (code, summary(report).splitlines()[-1]) == (1, "passing: concatfromsequence, splittosequence; failing: bad")


@pytest.mark.parametrize("model", ["light_resnet50.onnx"])
def test_weights_that_are_inputs(testdata, tmp_path, model):
    path = f"{testdata}/light/{model}"
    code, report = lint(run_ours, path, tmp_path)
    assert code == 0 and report["summary"]["failing"] == []
    assert len(report["summary"]["passing"]) == 415
    assert not [entry for entry in report["lint_entries"] if entry["level"] == "exception"]
