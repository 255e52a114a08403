"""Argument groups of comparisons and of the data loader."""

import sys

import pytest

from polygraphy.exception import PolygraphyException
from polygraphy.tools.args import *
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import Script, inline, make_invocable, safe
from group_cases.parsing import attributes, code, make_parser, parsed

RUNNER = """
import numpy as np
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata

class Doubling(BaseRunner):
    def __init__(self, name, error):
        super().__init__(name=name)
        self.error = error

    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (4,))

    def infer_impl(self, feed_dict):
        self.inference_time = 0
        return {"y": feed_dict["x"] * 2 + np.float32(self.error)}
"""


class DoublingArgs(BaseRunnerArgs):
    """Doubling Runners: two runners that differ a little"""

    def get_name_opt_impl(self):
        return "Doubling", "doubling"

    def add_parser_args_impl(self):
        self.group.add_argument("--error", type=float, default=0)

    def parse_impl(self, args):
        self.error = args.error

    def add_to_script_impl(self, script):
        script.add_import(["Doubling"], frm="doubling_runner")
        script.add_runner(make_invocable("Doubling", "a", 0.0))
        script.add_runner(make_invocable("Doubling", "b", self.error))


METRICS = {
    CompareFuncSimpleArgs: ["atol", "rtol", "check_error_stat", "infinities_compare_equal"]
    + ["save_heatmaps", "show_heatmaps", "save_error_metrics_plot", "show_error_metrics_plot"]
    + ["error_quantile"],
    CompareFuncIndicesArgs: ["index_tolerance"],
    CompareFuncL2Args: ["l2_threshold"],
    CompareFuncCosineSimilarityArgs: ["cosine_similarity_threshold"],
    CompareFuncPsnrArgs: ["psnr_threshold"],
    CompareFuncSnrArgs: ["snr_threshold"],
    CompareFuncPerceptualMetricsArgs: ["lpips_threshold"],
}
ATTRIBUTES = {
    **METRICS,
    DataLoaderArgs: ["seed", "val_range", "iterations", "load_inputs_paths"]
    + ["data_loader_backend_module", "data_loader_script", "data_loader_func_name"],
    ComparatorRunArgs: ["warm_up", "use_subprocess", "save_inputs_path", "save_outputs_path"]
    + ["save_input_blob_path"],
    ComparatorPostprocessArgs: ["postprocess", "postprocess_func_script"]
    + ["postprocess_func_name"],
    ComparatorCompareArgs: ["no_shape_check", "validate", "fail_fast", "check_average"]
    + ["streaming", "compare_funcs", "compare_func_script", "compare_func_name"]
    + ["load_outputs_paths", "save_accuracy_results_path"],
}


@pytest.mark.parametrize("group_type", ATTRIBUTES, ids=lambda group_type: group_type.__name__)
def test_a_group_works_alone(group_type):
    (group,) = parsed([group_type()], [])
    assert list(attributes(group)) == sorted(ATTRIBUTES[group_type])
    help_text = make_parser([group_type()]).format_help()
    assert all(
        option in help_text for a in group.group._group_actions for option in a.option_strings
    )


@pytest.fixture
def run_comparison(tmp_path, monkeypatch):
    """Runs the script that a command line means, and returns its variables."""
    (tmp_path / "doubling_runner.py").write_text(RUNNER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "doubling_runner", raising=False)

    def run(*line) -> dict:
        groups = [RunnerSelectArgs(), DoublingArgs(), ModelArgs(), DataLoaderArgs()]
        groups += [ComparatorRunArgs(), ComparatorPostprocessArgs(), ComparatorCompareArgs()]
        select, _, _, _, run_args, _, compare, *_ = parsed(
            groups + [metric() for metric in METRICS], ["model.onnx", "--doubling", *line]
        )
        script = Script()
        select.add_to_script(script)
        compare.add_to_script(script, run_args.add_to_script(script))
        variables = {}
        exec(str(script), variables)
        return variables

    return run


@pytest.mark.parametrize("how", [[], ["--sequential-runners"]], ids=["streaming", "sequential"])
@pytest.mark.parametrize(
    "error, options, success",
    [
        ("0", [], True),
        ("0.5", [], False),
        ("0.5", ["--atol", "y:0.6"], True),
        ("0.5", ["--compare", "l2", "--l2-threshold", "1.1"], True),
        ("0.5", ["--compare", "l2", "cosine_similarity", "--l2-threshold", "0.9"], False),
        ("0.5", ["--postprocess", "top-1", "--compare", "indices"], True),
        ("0.5", ["--check-average", "--check-error-stat", "max", "--atol", "0.6"], True),
        ("nan", ["--compare", "psnr", "--fail-fast"], False),
        ("0", ["--save-accuracy-results", "results.json"], True),
        ("0", ["--validate"], True),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_scripts_run(run_comparison, how, error, options, success):
    line = ["--error", error, "--iterations", "2", *options, *how]
    assert run_comparison(*line)["success"] is success


def test_saved_outputs_are_compared(run_comparison, tmp_path):
    assert run_comparison("--save-outputs", "saved", "--save-inputs", "in", "--seed", "3")[
        "success"
    ]
    assert run_comparison("--load-outputs", "saved", "--load-inputs", "in")["success"]
    assert not run_comparison("--load-outputs", "saved", "--seed", "4")["success"]


def test_scripts_of_functions_run(run_comparison, tmp_path):
    functions = "def compare_outputs(a, b):\n    return {'y': %s}\n"
    (tmp_path / "compare.py").write_text(functions % False)
    (tmp_path / "loader.py").write_text(
        "import numpy as np\ndef load_data():\n    yield {'x': np.ones(4, np.float32)}\n"
    )
    line = ["--compare-func-script", "compare.py", "--data-loader-script", "loader.py"]
    assert not run_comparison(*line)["success"]
    (tmp_path / "compare.py").write_text(functions % True)
    assert run_comparison(*line)["success"]


@pytest.mark.parametrize("text", ["1", "abc", "x:(1,2)", "[1,2,3]", "[]"])
def test_what_is_no_range(text):
    with pytest.raises(PolygraphyException, match="expected to receive exactly 2 values"):
        parsed([DataLoaderArgs()], ["--val-range", text])


@pytest.mark.parametrize("text", ["top-x", "top-", "top--1", "top-1,axis=x", "5", "[top-5]"])
def test_what_is_no_postprocessing(text):
    with pytest.raises(PolygraphyException, match="Invalid post-processing function"):
        parsed([ComparatorPostprocessArgs()], ["--postprocess", text])


def test_shapes_that_are_left_open():
    _, loader = parsed([ModelArgs(), DataLoaderArgs()], ["--input-shapes", "x:auto", "y:[2]"])
    assert "add('x', None, None).add('y', None, [2])" in code(loader)
    shapes = {
        name: shape for name, (_, shape) in loader.get_data_loader().user_input_metadata.items()
    }
    assert shapes == {"x": None, "y": [2]}


def test_groups_that_are_not_there():
    compare, _ = parsed([ComparatorCompareArgs(), CompareFuncSimpleArgs()], ["--rtol", "1"])
    results = inline(safe("results"))
    assert "runs = [results]\n" in code(compare, results)
    assert "SimpleCompareFunc(rtol={'': 1})" in code(compare, results)

    (run,) = parsed([ComparatorRunArgs()], ["--warm-up", "1"])
    assert "results = Comparator.run(runners, warm_up=1)\n" in code(run)

    compare, _ = parsed([ComparatorCompareArgs(), CompareFuncSimpleArgs()], ["--compare", "l2"])
    with pytest.raises(PolygraphyException, match="'l2' is not available here"):
        compare.add_to_script(Script(), results)
    with pytest.raises(PolygraphyException, match="'l2' is not available here"):
        compare.build_compare_funcs()
