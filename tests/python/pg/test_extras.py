"""Names that 0.49 had, or that scripts use although no release has them."""

import numpy as np
import pytest

from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import (
    Comparator,
    CompareFunc,
    DataLoader,
    DistanceMetricsResult,
    IterationResult,
    QualityMetricsResult,
    SimpleCompareFunc,
)
from polygraphy.comparator.compare import _perceptual
from polygraphy.exception import PolygraphyException
from polygraphy.json import from_json, to_json
from polygraphy.json_file import JsonFile


def result(array) -> IterationResult:
    return IterationResult({"y": np.asarray(array, np.float32)})


def test_distance_metrics():
    compare = CompareFunc.distance_metrics(l2_tolerance=0.5)
    near = compare(result([3, 4]), result([3, 4.25]))["y"]
    assert isinstance(near, DistanceMetricsResult) and near
    assert near.l2_norm == 0.25 and 0.999 < near.cosine_similarity < 1
    far = compare(result([3, 4]), result([6, 8]))["y"]
    assert not far and far.l2_norm == 5 and far.cosine_similarity == pytest.approx(1)
    assert compare(result([1, 2]), result([1]))["y"] is False


def test_quality_metrics_of_which_one_is_left_out():
    both = result([1, 2]), result([1, 1.9])
    outcome = CompareFunc.quality_metrics(snr_tolerance=20)(*both)["y"]
    assert isinstance(outcome, QualityMetricsResult)
    assert outcome.snr == pytest.approx(26.99, abs=0.1)
    assert outcome.psnr == pytest.approx(29.03, abs=0.1) and not outcome
    outcome = CompareFunc.quality_metrics(psnr_tolerance={"": None})(*both)["y"]
    assert outcome.psnr is None and outcome


def test_combined_results_are_saved():
    results = [DistanceMetricsResult(True, 1.0, 0.5), QualityMetricsResult(False)]
    loaded = from_json(to_json(results))
    assert vars(loaded[0]) == {"passed": True, "l2_norm": 1.0, "cosine_similarity": 0.5}
    assert vars(loaded[1]) == {"passed": False, "psnr": None, "snr": None}


def test_ranges_by_kind_of_number():
    meta = TensorMetadata().add("i", np.int32, (200,)).add("f", np.float32, (200,))
    meta.add("b", np.bool_, (200,))
    with pytest.warns(DeprecationWarning, match="val_range"):
        loader = DataLoader(input_metadata=meta, int_range=(5, 7), float_range=(-2, -1))
    feeds = loader[0]
    assert set(feeds["i"].tolist()) == {5, 6, 7}
    assert -2 <= feeds["f"].min() and feeds["f"].max() <= -1
    assert set(feeds["b"].tolist()) == {False, True}
    with pytest.warns(DeprecationWarning):
        loader = DataLoader(input_metadata=meta, int_range=(5, 7), val_range=(0, 3))
    assert loader[0]["i"].min() == 5 and 0 <= loader[0]["f"].min() <= 1


def test_two_outputs_are_compared():
    comparator = Comparator()
    assert comparator.compare([[1.0, 2.0]], np.array([[1.0, 2.0]]))
    assert not comparator.compare([[1.0, 2.0]], [[1.0, 2.5]])
    assert comparator.compare({"y": np.ones(2)}, {"y": np.ones(2)})
    assert not comparator.compare({"y": np.ones(2)}, {"y": np.ones(3)})


class Sums(BaseRunner):
    """y = x + 1, or with two inputs the sum of both."""

    def __init__(self, **shapes):
        super().__init__()
        self.shapes = shapes

    def get_input_metadata_impl(self):
        meta = TensorMetadata()
        for name, shape in self.shapes.items():
            meta.add(name, np.float32, shape)
        return meta

    def infer_impl(self, feed_dict):
        assert all(array.dtype == np.float32 for array in feed_dict.values())
        self.inference_time = 0.0
        return {"y": sum(feed_dict.values()) + (len(feed_dict) == 1)}


def test_lists_are_inputs_without_names():
    runner = Sums(x=(1, 3))
    output = list(runner.infer([[1.0, 2.0, 3.0]]))[0]  # neither active before nor after
    assert Comparator().compare([[2.0, 3.0, 4.0]], output) and not runner.is_active
    with runner:
        assert runner.infer([np.ones((1, 3))])[0].tolist() == [[2, 2, 2]] and runner.is_active
    (both,) = Sums(a=(2,), b=("n",)).infer([[1, 2], np.arange(2)])
    assert both.tolist() == [1, 3]
    with pytest.raises(PolygraphyException, match=r"1 inputs were given for 2: \['a', 'b'\]"):
        Sums(a=(2,), b=(2,)).infer([[1, 2]])
    with pytest.raises(PolygraphyException, match="incompatible shape"):
        Sums(x=(1, 3)).infer([[1.0, 2.0]])


def test_dictionaries_need_an_active_runner():
    with pytest.raises(PolygraphyException, match="Must be activated"):
        Sums(x=(1,)).infer({"x": np.ones(1, np.float32)})


def test_a_json_file_is_an_object(tmp_path):
    file = JsonFile(str(tmp_path / "x.json"))
    file.save({"a": np.array([1, 2])})
    assert file.load()["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "shape, images",
    [
        ((3, 80, 90), (1, 3, 80, 90)),
        ((80, 90, 3), (1, 3, 80, 90)),
        ((2, 80, 90, 1), (2, 3, 80, 90)),
        ((2, 5, 80, 90), (10, 3, 80, 90)),
        ((4, 2, 3, 8, 100), (8, 3, 64, 100)),
    ],
)
def test_arrays_as_images(shape, images):
    array = np.random.RandomState(0).rand(*shape)
    assert _perceptual._as_images(array).shape == images


def test_results_say_whether_they_passed():
    iterations = [IterationResult({"y": np.array([value])}, runner_name="r") for value in (1.0, 2.0)]
    assert not SimpleCompareFunc()(*iterations)["y"].passed
    assert SimpleCompareFunc(atol=1)(*iterations)["y"].passed
