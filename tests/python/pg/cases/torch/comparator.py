"""Comparing, validating and saving tensors of PyTorch."""

import contextlib
import io
import re

import torch
from polygraphy.common import TensorMetadata
from polygraphy.comparator import *
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

torch.manual_seed(0)
if torch.__version__.startswith("1."):
    # The original calls these as later versions can be called.
    def _later(function):
        return lambda t, correction=0, unbiased=False: function(t, unbiased=bool(correction))

    torch.std, torch.var = _later(torch.std), _later(torch.var)
NAN, INF = float("nan"), float("inf")


def T(f):
    try:
        print(repr(f()))
    except BaseException as e:
        print(type(e).__name__, str(e).splitlines()[0][:200])


def compare(func, output0, output1):
    """Tensors with tensors, and each with arrays."""
    for as_array0, as_array1 in ((False, False), (True, False), (False, True)):
        # The original writes into a tensor with zeros.
        a, b = output0.clone(), output1.clone()
        a, b = (a.numpy() if as_array0 else a), (b.numpy() if as_array1 else b)
        results = [IterationResult({"y": x}, runner_name=n) for x, n in ((a, "a"), (b, "b"))]
        run_results = RunResults([(r.runner_name, [r]) for r in results])
        G_LOGGER.once_logged.clear()
        log = io.StringIO()
        with contextlib.redirect_stdout(log):
            T(lambda: bool(Comparator.compare_accuracy(run_results, compare_func=func)))
        # Bins of a histogram hold whole numbers, whatever the type that PyTorch counts in.
        print(re.sub(r"\|( +\d+)\.0 \|", r"|  \1 |", log.getvalue()))


pairs = {
    "close": (torch.rand(2, 3), torch.rand(2, 3)),
    "double": (torch.rand(5).double() + 1e-9, torch.rand(5).double()),
    "half": (torch.tensor([0.5, 1.5]).half(), torch.tensor([0.5, 1.25]).half()),
    "zeros": (torch.tensor([0.0, 1.0]), torch.tensor([0.0, 1.0])),
    "inf": (torch.tensor([INF, 1.0]), torch.tensor([INF, 1.0])),
    "nan": (torch.tensor([NAN, 1.0]), torch.tensor([1.0, 1.0])),
    "scalar": (torch.tensor(1.0), torch.tensor(1.5)),
    "int": (torch.tensor([1, 2, 3]), torch.tensor([1, 4, 3])),
    "bool": (torch.tensor([True, False]), torch.tensor([True, True])),
    "uint8": (torch.tensor([1, 2], dtype=torch.uint8), torch.tensor([1, 4], dtype=torch.uint8)),
}
for name, (output0, output1) in pairs.items():
    print("##", name)
    # Statistics of other types are of these types there, and metrics an error.
    exact = output0.dtype in (torch.float32, torch.float64)
    G_LOGGER.module_severity = G_LOGGER.INFO if exact else G_LOGGER.FINISH
    for stat in ("elemwise", "max", "mean", "median", "quantile"):
        compare(SimpleCompareFunc(check_error_stat=stat), output0, output1)
    if output0.dtype.is_floating_point:
        for func in (L2CompareFunc, CosineSimilarityCompareFunc, PsnrCompareFunc, SnrCompareFunc):
            compare(func(), output0, output1)

equal = torch.tensor([INF, -INF, 1.0])
for function in (SimpleCompareFunc(infinities_compare_equal=True), SimpleCompareFunc()):
    results = [IterationResult({"y": equal.clone()}, runner_name=name) for name in "ab"]
    T(lambda: bool(function(*results)["y"]))

print("## validate")
for tensor in (pairs[name][0] for name in ("inf", "nan", "int", "half")):
    run_results = RunResults([("a", [IterationResult({"y": tensor}, runner_name="a")])])
    G_LOGGER.module_severity = G_LOGGER.FINISH
    G_LOGGER.once_logged.clear()
    T(lambda: Comparator.validate(run_results, check_inf=True, check_nan=True))

print("## top k")
for k in (1, 2, (2, 0)):
    iteration = IterationResult({"y": torch.tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])})
    T(lambda: TopKPostprocessFunc(k)(iteration)["y"])

print("## data loader")
for dtype in ("float32", "float64", "float16", "int64", "int32", "bfloat16", "uint8"):
    metadata = TensorMetadata().add("x", getattr(DataType, dtype.upper()), (2, 3))
    loader = DataLoader(iterations=2, input_metadata=metadata, data_loader_backend_module="torch")
    T(lambda: [iteration["x"] for iteration in loader])
