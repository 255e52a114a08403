"""Functions on tensors of PyTorch, if it is installed."""

import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed here")

from polygraphy.backend.pyt import PytRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import Comparator, DataLoader
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.util import array as util_array

from differential import needs_originals, run_both

CASES = sorted((Path(__file__).parent / "cases" / "torch").glob("*.py"))
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\binf\b|\bnan\b)")

METADATA = TensorMetadata().add("x", np.float32, (None, 3)).add("shift", np.int64, (1,))


class Scale(torch.nn.Module):
    """Multiplies by a parameter; drops everything while it is trained."""

    def __init__(self, form=lambda scaled, shifted: (scaled, shifted)):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.tensor([2.0]))
        self.dropout = torch.nn.Dropout(1.0)
        self.form = form

    def forward(self, x, shift):
        assert not torch.is_grad_enabled()
        return self.form(self.dropout(x * self.factor), shift + 1)


def infer(model, names=("scaled", "shifted"), convert=np.asarray) -> dict:
    with PytRunner(model, METADATA, list(names)) as runner:
        feed_dict = {
            # Another order than that of the metadata.
            "shift": convert(np.array([4], np.int64)),
            "x": convert(np.array([[1, 2, 3]], np.float32)),
        }
        outputs = runner.infer(feed_dict)
        assert runner.last_inference_time() > 0
    return outputs


@pytest.mark.parametrize("model", [Scale(), Scale, lambda: torch.jit.script(Doubling())])
def test_modules_and_callables_that_make_them(model):
    names = ["scaled", "shifted"]
    outputs = infer(model)
    assert list(outputs) == names
    assert all(isinstance(array, np.ndarray) for array in outputs.values())
    assert outputs["scaled"].tolist() == [[2, 4, 6]] and outputs["shifted"].tolist() == [5]


class Doubling(torch.nn.Module):
    """No parameters, and simple enough to be compiled."""

    def forward(self, x, shift):
        return x * 2, shift + 1


def test_outputs_are_of_the_kind_of_the_inputs():
    outputs = infer(Scale(), convert=torch.from_numpy)
    assert all(isinstance(array, torch.Tensor) for array in outputs.values())
    assert not outputs["scaled"].requires_grad


@pytest.mark.parametrize(
    "form",
    [
        lambda scaled, shifted: [scaled, shifted],
        lambda scaled, shifted: (scaled, (shifted, None)),
        lambda scaled, shifted: {"shifted": shifted, "more": scaled, "scaled": scaled},
    ],
    ids=["list", "nested", "dictionary"],
)
def test_forms_of_what_a_module_returns(form):
    outputs = infer(Scale(form))
    assert list(outputs) == ["scaled", "shifted"]
    assert outputs["shifted"].tolist() == [5]


def test_one_tensor():
    assert infer(Scale(lambda scaled, _: scaled), ["y"])["y"].tolist() == [[2, 4, 6]]


@pytest.mark.parametrize(
    "form, message",
    [
        (lambda scaled, _: scaled, "returned 1 output.*2 output name"),
        (lambda scaled, _: {"scaled": scaled}, "did not return outputs: .'shifted'."),
    ],
)
def test_names_without_outputs(form, message):
    with pytest.raises(PolygraphyException, match=message):
        infer(Scale(form))


def test_inputs_are_cast_if_nobody_checks_them():
    with PytRunner(Scale(), METADATA, ["scaled", "shifted"]) as runner:
        feed_dict = {"x": np.ones((1, 3)), "shift": np.ones(1, np.int32)}
        outputs = runner.infer(feed_dict, check_inputs=False)
        assert outputs["scaled"].dtype == np.float32 and outputs["shifted"].dtype == np.int64


def test_inputs_go_where_the_module_is():
    """Tensors on this device have shapes and no values; any machine has it."""
    outputs = infer(Scale().to("meta"), convert=torch.from_numpy)
    assert {tensor.device.type for tensor in outputs.values()} == {"meta"}


def test_types_that_numpy_lacks_stay_tensors():
    outputs = infer(Scale(lambda scaled, shifted: (scaled.bfloat16(), shifted)))
    assert outputs["scaled"].dtype == torch.bfloat16
    assert isinstance(outputs["shifted"], np.ndarray)


def test_in_the_comparator():
    runners = [
        PytRunner(Scale, METADATA, ["scaled", "shifted"], name="made"),
        PytRunner(Scale(), METADATA, ["scaled", "shifted"], name="given"),
    ]
    results = Comparator.run(runners)
    assert Comparator.compare_accuracy(results)
    results = Comparator.run(runners, use_subprocess=True)
    assert Comparator.compare_accuracy(results)


@pytest.mark.parametrize("script", CASES, ids=lambda script: script.stem)
@needs_originals
def test_prints_what_the_original_prints(script, tmp_path):
    """Up to the last digits of numbers: sums are not taken in the same order."""
    where_torch_is = [str(Path(torch.__file__).parents[1])]
    expected, actual = run_both(script, tmp_path, more=where_torch_is)
    for theirs, mine in zip(expected, actual):
        theirs, mine = theirs.splitlines(), mine.splitlines()
        assert [words(line) for line in mine] == [words(line) for line in theirs]
        for my_line, their_line in zip(mine, theirs):
            assert numbers(my_line) == pytest.approx(
                numbers(their_line), rel=1e-3, abs=1e-6, nan_ok=True
            ), my_line
    assert expected[0]


def words(line: str) -> list:
    """A line without its numbers and the spaces that depend on their lengths."""
    return NUMBER.sub("#", line).split()


def numbers(line: str) -> list:
    return [float(number) for number in NUMBER.findall(line)]


def test_random_tensors_are_within_the_range():
    """There: between 0 and 1 for any request, and no booleans."""
    metadata = TensorMetadata().add("x", DataType.FLOAT32, (100,)).add("y", DataType.BOOL, (100,))
    loader = DataLoader(
        input_metadata=metadata,
        val_range={"x": (-3, 5), "y": (0, 1)},
        data_loader_backend_module="torch",
    )
    x, y = loader[0]["x"], loader[0]["y"]
    assert -3 <= x.min() < -1 and 3 < x.max() < 5
    assert y.dtype == torch.bool and y.any() and not y.all()


def test_statistics_are_of_the_type_of_the_tensor():
    """There: quantiles and medians of whole numbers are cut off, and means an error."""
    doubles = torch.tensor([1, 1 + 1e-12, 3], dtype=torch.float64)
    assert util_array.median(doubles) == 1 + 1e-12
    assert util_array.mean(doubles) == doubles.mean()
    numbers = torch.tensor([1, 2, 4, 5])
    assert util_array.median(numbers) == util_array.mean(numbers) == 3
    assert util_array.quantile(numbers, 0.9) == pytest.approx(4.7)
    assert util_array.mean(numbers, DataType.FLOAT64).dtype == torch.float64
    assert util_array.std(numbers) == pytest.approx(np.std([1, 2, 4, 5]))
    assert util_array.median(torch.tensor([1, float("nan"), 3])).isnan()


def test_types_that_pytorch_does_not_sort():
    halves = torch.tensor([3, 1, 4, 2], dtype=torch.float16)
    values, indices = util_array.topk(halves, 2, 0)
    assert values.dtype == torch.float16 and values.tolist() == [4, 3]
    assert indices.tolist() == [2, 0]
    flags = torch.tensor([False, True, False])
    assert util_array.topk(flags, 1, 0)[1].tolist() == [1]
    assert (util_array.argmax(flags), util_array.argmin(flags)) == (1, 0)
    assert util_array.abs(flags) is flags


def test_quantiles_of_many_elements():
    """There: RuntimeError above 2 ** 24 elements."""
    many = torch.arange((1 << 24) + 1, dtype=torch.int32)
    assert util_array.quantile(many, 0.5) == 1 << 23
