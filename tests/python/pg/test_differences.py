"""Where this package does otherwise than the original, on purpose (docs/differences/python.md)."""

import copy
import inspect
import io
import pickle
import sys

import numpy as np
import pytest

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader, BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import (
    AccuracyResult,
    Comparator,
    DataLoader,
    IterationResult,
    L2Result,
    RunResults,
    SimpleCompareFunc,
    TopKPostprocessFunc,
)
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.json import load_json, save_json, to_json
from polygraphy.logger import G_LOGGER


class Doubling(BaseRunner):
    """A runner whose one output is twice its one input."""

    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (2,))

    def infer_impl(self, feed_dict):
        self.inference_time = 0.25
        return {"y": feed_dict["x"] * 2}


def result(**outputs) -> IterationResult:
    return IterationResult({name: np.asarray(values) for name, values in outputs.items()})


@mod.export(funcify=True)
class KeywordOnly(BaseLoader):
    def __init__(self, *, scale: int = 2):
        """Scales.

        Args:
            scale: The factor.
        """
        self.scale = scale

    def call_impl(self, x):
        return x * self.scale


def test_immediate_forms_take_arguments_by_keyword_only():
    """There: TypeError, and no annotations."""
    assert keyword_only(3) == 6 and keyword_only(3, scale=5) == 15
    assert str(inspect.signature(keyword_only)) == "(x, *, scale: int = 2)"
    assert "Args:\n    scale: The factor." in keyword_only.__doc__
    assert keyword_only.__module__ == __name__


def test_versions_with_letters_compare_with_those_without():
    assert mod.version("1.2.3rc1") < mod.version("1.2.3") < mod.version("1.2.3.post1")
    assert mod.version("1.2.3") >= mod.version("1.2.3rc1")


def test_names_of_polygraphy_0_49():
    assert mod.has_mod("json") and not mod.has_mod("no_such_module_anywhere")
    with pytest.warns(DeprecationWarning):
        assert G_LOGGER.severity == G_LOGGER.module_severity.get()


def test_a_script_that_cannot_be_imported_is_our_exception(tmp_path):
    script = tmp_path / "broken_script.py"
    script.write_text("import no_such_module_anywhere\n")
    with pytest.raises(PolygraphyException, match="no_such_module_anywhere"):
        mod.import_from_script(str(script), "f")


def test_a_script_leaves_a_module_of_its_name_alone(tmp_path):
    (tmp_path / "json.py").write_text("f = 'from the script'\n")
    import json

    assert mod.import_from_script(str(tmp_path / "json.py"), "f") == "from the script"
    assert sys.modules["json"] is json


def test_a_callable_message_is_the_text_of_the_exception():
    with pytest.raises(PolygraphyException, match="^made later$"):
        G_LOGGER.critical(lambda: "made later")


def test_copies_of_data_types_are_the_same_object():
    assert copy.deepcopy(DataType.INT8) is DataType.INT8
    assert pickle.loads(pickle.dumps(DataType.BFLOAT16)) is DataType.BFLOAT16
    meta = TensorMetadata().add("x", np.float32, (1, 2))
    assert copy.deepcopy(meta) == meta


def test_metadata_without_a_shape_has_a_repr():
    assert repr(TensorMetadata().add("x", None, None)) == "TensorMetadata().add('x', None, None)"


def test_files_in_memory_are_files(tmp_path):
    file = io.StringIO()
    save_json([1, 2], file)
    file.seek(0)
    assert load_json(file) == [1, 2]
    assert util.get_file_size(io.BytesIO(b"12345")) == 5
    assert util.get_file_size("no such file") == 0


def test_top_k_of_unsigned_and_boolean_values():
    values, indices = util.array.topk(np.array([0, 1, 5], np.uint8), 2, 0)
    assert values.tolist() == [5, 1] and indices.tolist() == [2, 1]
    assert util.array.topk(np.array([False, True, True]), 2, 0)[1].tolist() == [1, 2]


def test_top_k_axis_of_one_output_stays_with_it():
    both = result(a=[[1, 2], [4, 3]], b=[[1, 2], [4, 3]])
    both = TopKPostprocessFunc({"a": (1, 0), "b": 1})(both)
    assert both["a"].tolist() == [[1, 1]]
    assert both["b"].tolist() == [[1], [0]]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
def test_differences_of_integers_do_not_wrap_around(dtype):
    info = np.iinfo(dtype)
    low, high = np.array([info.min], dtype), np.array([info.max], dtype)
    for first, second in ((low, high), (high, low)):
        outcome = SimpleCompareFunc(atol=10, rtol=0)(result(y=first), result(y=second))
        assert not outcome["y"]
        assert outcome["y"].max_absdiff == float(int(info.max) - int(info.min))
    near = SimpleCompareFunc(atol=1, rtol=0)(
        result(y=np.array([1], dtype)), result(y=np.array([2], dtype))
    )
    assert near["y"] and near["y"].max_absdiff == 1


def test_a_comparison_function_may_be_used_again_for_other_outputs():
    compare = SimpleCompareFunc()
    assert compare(result(a=[1.0], b=[2.0]), result(a=[1.0], b=[2.0]))
    outcome = compare(result(a_0=[1.0]), result(a=[1.0]))
    assert list(outcome) == ["a_0"] and outcome["a_0"]


def test_results_with_more_entries_differ():
    assert result(a=[1.0]) != result(a=[1.0], b=[2.0])
    assert result(a=[1.0], b=[2.0]) != result(a=[1.0])


def test_results_update():
    results = RunResults([("r", [result(a=[1.0])])])
    results.update({"r": [result(a=[2.0])], "s": [result(a=[3.0])]})
    assert [it[0]["a"].tolist() for it in results.values()] == [[2.0], [3.0]]


def test_no_inputs_are_no_iterations():
    results = Comparator.run([Doubling("d")], data_loader=[])
    assert dict(results.items()) == {"d": []}


def test_a_result_without_a_threshold_says_so():
    with pytest.raises(PolygraphyException, match="no thresholds"):
        bool(L2Result(1.0))
    assert AccuracyResult().stats() == (0, 0, 0)


def test_metadata_of_a_runner_is_the_callers_own():
    class Stored(Doubling):
        meta = TensorMetadata().add("x", np.float32, (2,))

        def get_input_metadata_impl(self):
            return self.meta

    with Stored("s") as runner:
        runner.get_input_metadata(use_numpy_dtypes=True)
        assert runner.meta["x"].dtype is DataType.FLOAT32


def test_errors_in_a_process_are_reported(capfd):
    class Failing(Doubling):
        def infer_impl(self, feed_dict):
            raise ValueError("said by the runner")

    with pytest.raises(PolygraphyException, match="Terminated prematurely"):
        Comparator.run([Failing("f")], use_subprocess=True, subprocess_polling_interval=0.1)
    assert "ValueError: said by the runner" in capfd.readouterr().out


def test_saved_results_of_the_same_values_are_the_same_text():
    assert to_json(result(a=[1.0])) == to_json(result(a=[1.0]))


def test_metrics_of_booleans_and_of_nothing():
    from polygraphy.comparator import L2CompareFunc, PsnrCompareFunc

    first, second = result(y=[True, False]), result(y=[True, True])
    assert L2CompareFunc()(first, second)["y"].l2_norm == 1
    assert PsnrCompareFunc()(result(y=np.zeros((0, 2))), result(y=np.zeros((0, 2))))["y"]


def test_a_range_of_values_may_be_a_list_and_leave_an_end_out():
    def sample(val_range):
        meta = TensorMetadata().add("x", np.float32, (100,))
        return DataLoader(val_range=val_range, input_metadata=meta)[0]["x"]

    assert 1 <= sample([1, 2]).min() and sample([1, 2]).max() <= 2
    assert 0 <= sample((None, 3.0)).min() and 1 < sample((None, 3.0)).max() <= 3


def test_a_range_for_an_unknown_input_is_told(capsys):
    DataLoader(val_range={"q": (0, 1)}, input_metadata=TensorMetadata().add("x", np.float32, (1,)))[
        0
    ]
    assert "Extra items in val_range: {'q'}" in capsys.readouterr().out
