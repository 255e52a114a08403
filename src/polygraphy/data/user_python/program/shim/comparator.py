"""Results, comparison functions and the data loader. The tool computes; here are the shapes that scripts see."""
import collections

import numpy

from polygraphy.common import TensorMetadata
from polygraphy.json import Decoder, Encoder, add_json_methods
from polygraphy.logger import G_LOGGER


@add_json_methods("iteration result")
class IterationResult(collections.OrderedDict):
    """The outputs of one iteration of one runner, by name."""

    def __init__(self, outputs=None, runtime=None, runner_name=None):
        super().__init__(outputs or {})
        self.runtime = runtime
        self.runner_name = runner_name if runner_name is not None else "custom_runner"

    def __repr__(self):
        return "IterationResult(%r, runtime=%r, runner_name=%r)" % (dict(self), self.runtime, self.runner_name)


@add_json_methods("inference results")
class RunResults:
    """(runner name, iterations) pairs; also by runner name, as a dict."""

    def __init__(self, lst=None):
        self.lst = list(lst or [])

    def items(self):
        yield from self.lst

    def keys(self):
        return (name for name, _ in self.lst)

    def values(self):
        return (iterations for _, iterations in self.lst)

    def add(self, out_list, runtime=None, runner_name=None):
        iterations = [IterationResult(outputs, runtime, runner_name) for outputs in out_list]
        self[iterations[0].runner_name if iterations else runner_name] = iterations

    def __getitem__(self, key):
        if isinstance(key, int):
            return self.lst[key]
        for name, iterations in self.lst:
            if name == key:
                return iterations
        raise KeyError(key)

    def __setitem__(self, key, value):
        if isinstance(key, int):
            self.lst[key] = value
            return
        for place, (name, _) in enumerate(self.lst):
            if name == key:
                self.lst[place] = (key, value)
                return
        self.lst.append((key, value))

    def __contains__(self, key):
        return any(key == name or key == (name, iterations) for name, iterations in self.lst)

    def __len__(self):
        return len(self.lst)

    def __iter__(self):
        return iter(self.lst)


@Encoder.register(IterationResult)
def _encode_iteration(result):
    outputs = {name: {"values": array, "polygraphy_class": "LazyArray"} for name, array in result.items()}
    return {"outputs": outputs, "runtime": result.runtime, "runner_name": result.runner_name}


@Decoder.register(IterationResult)
def _decode_iteration(fields):
    return IterationResult(fields["outputs"], fields["runtime"], fields["runner_name"])


@Encoder.register(RunResults)
def _encode_run(results):
    return {"lst": [[name, list(iterations)] for name, iterations in results]}


@Decoder.register(RunResults)
def _decode_run(fields):
    return RunResults([(name, iterations) for name, iterations in fields["lst"]])


class DataLoader:
    """Random inputs, as the tool makes them. Its inputs are those of the runner unless `input_metadata` is given."""

    def __init__(self, seed=None, iterations=None, input_metadata=None, val_range=None,
                 data_loader_backend_module=None):
        self.seed = 1 if seed is None else seed
        self.iterations = 1 if iterations is None else iterations
        self.user_input_metadata = input_metadata or TensorMetadata()
        self.val_range = (0.0, 1.0) if val_range is None else val_range
        self.data_loader_backend_module = data_loader_backend_module or "numpy"
        self.input_metadata = None
        if input_metadata:
            G_LOGGER.info("Will generate inference input data according to provided TensorMetadata: %s" % input_metadata)

    def __getitem__(self, index):
        if index >= self.iterations:
            raise IndexError(index)
        ranges = self.val_range if isinstance(self.val_range, dict) else {"": self.val_range}
        inputs = self.input_metadata or self.user_input_metadata
        _, arrays = G_LOGGER.ask_tool({
            "ask": "generate", "seed": self.seed, "index": index, "torch": self.data_loader_backend_module == "torch",
            "inputs": _entries(inputs), "shapes": _entries(self.user_input_metadata),
            "ranges": [[name, float(low), float(high)] for name, (low, high) in ranges.items()]})
        return collections.OrderedDict(arrays)


def _entries(metadata):
    return [[name, "" if dtype is None else str(dtype), None if shape is None else list(shape)]
            for name, (dtype, shape) in metadata.items()]


class _Threshold:
    def __init__(self, *values):
        for name, value in zip(self._fields, values):
            setattr(self, name, value)


class SimpleThreshold(_Threshold):
    _fields = ("check_error_stat", "atol", "rtol")


class _Limit(_Threshold):
    _fields = ("threshold",)


class L2Threshold(_Limit):
    pass


class CosineSimilarityThreshold(_Limit):
    pass


class PsnrThreshold(_Limit):
    pass


class SnrThreshold(_Limit):
    pass


class LpipsThreshold(_Limit):
    pass


class CompareResult:
    """The figures of one output and what they were held against. True when they passed."""

    _fields = ()

    def __init__(self, *figures, thresholds=None, passed=None, **named):
        for name, value in zip(self._fields, list(figures) + [None] * len(self._fields)):
            setattr(self, name, named.get(name, value))
        self.thresholds, self.passed = thresholds, passed

    def __bool__(self):
        return bool(self.passed)


class OutputCompareResult(CompareResult):
    _fields = ("max_absdiff", "max_reldiff", "mean_absdiff", "mean_reldiff", "median_absdiff", "median_reldiff",
               "quantile_absdiff", "quantile_reldiff")


class L2Result(CompareResult):
    _fields = ("l2_norm",)


class CosineSimilarityResult(CompareResult):
    _fields = ("cosine_similarity",)


class PsnrResult(CompareResult):
    _fields = ("psnr",)


class SnrResult(CompareResult):
    _fields = ("snr",)


class PerceptualMetricsResult(CompareResult):
    _fields = ("lpips",)


class BaseCompareFunc:
    """Compares two results. Derive from it, or just write a function of two results."""

    def __call__(self, iter_result0, iter_result1):
        raise NotImplementedError()


def _per_output(value):
    if value is None:
        return {}
    return dict(value) if isinstance(value, dict) else {"": value}


class _NativeCompareFunc(BaseCompareFunc):
    """A function of the tool's own."""

    _function = ""
    _THRESHOLD_CLASS = None

    def __init__(self, options):
        self._options = options

    def __call__(self, iter_result0, iter_result1):
        results, named = [], []
        for number, result in enumerate((iter_result0, iter_result1)):
            outputs = []
            for name, value in result.items():
                key = "%d:%s" % (number, name)
                named.append((key, G_LOGGER.to_array(value)))
                outputs.append([name, key])
            results.append({"runner": getattr(result, "runner_name", "custom_runner"), "outputs": outputs})
        answer, _ = G_LOGGER.ask_tool(dict(self._options, ask="compare", function=self._function, results=results), named)
        return collections.OrderedDict((verdict["name"], self._result_of(verdict)) for verdict in answer["verdicts"])

    def _result_of(self, verdict):
        if "figures" not in verdict:
            return verdict["passed"]
        values = ([verdict["stat"]] if verdict["stat"] else []) + list(verdict["limits"])
        return self._RESULT_CLASS(*verdict["figures"], passed=verdict["passed"],
                                  thresholds=self._THRESHOLD_CLASS(*values))

    def thresholds_for(self, name):
        answer, _ = G_LOGGER.ask_tool(dict(self._options, ask="threshold", function=self._function, name=name))
        values = ([answer["stat"]] if answer["stat"] else []) + list(answer["limits"])
        return self._THRESHOLD_CLASS(*values)


class SimpleCompareFunc(_NativeCompareFunc):
    _function, _THRESHOLD_CLASS, _RESULT_CLASS = "simple", SimpleThreshold, OutputCompareResult

    def __init__(self, check_shapes=None, rtol=None, atol=None, fail_fast=None, check_error_stat=None,
                 infinities_compare_equal=None, error_quantile=None, **_):
        super().__init__({"check_shapes": check_shapes is not False, "fail_fast": bool(fail_fast),
                          "rtol": _per_output(rtol), "atol": _per_output(atol),
                          "check_error_stat": _per_output(check_error_stat),
                          "error_quantile": _per_output(error_quantile),
                          "infinities_compare_equal": bool(infinities_compare_equal)})


class IndicesCompareFunc(_NativeCompareFunc):
    _function = "indices"

    def __init__(self, index_tolerance=None, fail_fast=None):
        super().__init__({"fail_fast": bool(fail_fast), "index_tolerance": _per_output(index_tolerance)})

    thresholds_for = None


class _ThresholdCompareFunc(_NativeCompareFunc):
    def __init__(self, option, threshold=None, check_shapes=None, fail_fast=None):
        super().__init__({"check_shapes": check_shapes is not False, "fail_fast": bool(fail_fast),
                          option: _per_output(threshold)})


class L2CompareFunc(_ThresholdCompareFunc):
    _function, _THRESHOLD_CLASS, _RESULT_CLASS = "l2", L2Threshold, L2Result

    def __init__(self, l2_threshold=None, check_shapes=None, fail_fast=None, **_):
        super().__init__("l2_threshold", l2_threshold, check_shapes, fail_fast)


class CosineSimilarityCompareFunc(_ThresholdCompareFunc):
    _function, _THRESHOLD_CLASS = "cosine_similarity", CosineSimilarityThreshold
    _RESULT_CLASS = CosineSimilarityResult

    def __init__(self, cosine_similarity_threshold=None, check_shapes=None, fail_fast=None, **_):
        super().__init__("cosine_similarity_threshold", cosine_similarity_threshold, check_shapes, fail_fast)


class PsnrCompareFunc(_ThresholdCompareFunc):
    _function, _THRESHOLD_CLASS, _RESULT_CLASS = "psnr", PsnrThreshold, PsnrResult

    def __init__(self, psnr_threshold=None, check_shapes=None, fail_fast=None, **_):
        super().__init__("psnr_threshold", psnr_threshold, check_shapes, fail_fast)


class SnrCompareFunc(_ThresholdCompareFunc):
    _function, _THRESHOLD_CLASS, _RESULT_CLASS = "snr", SnrThreshold, SnrResult

    def __init__(self, snr_threshold=None, check_shapes=None, fail_fast=None, **_):
        super().__init__("snr_threshold", snr_threshold, check_shapes, fail_fast)


class CompareFunc:
    """The comparison functions under their older names."""

    simple = SimpleCompareFunc
    indices = IndicesCompareFunc


class BasePostprocessFunc:
    def __call__(self, iter_result):
        raise NotImplementedError()


class TopKPostprocessFunc(BasePostprocessFunc):
    """Replaces outputs by the places of their k largest values, largest first."""

    def __init__(self, k=None):
        self.k = k if isinstance(k, dict) else {"": 10 if k is None else k}

    def __call__(self, iter_result):
        for name, array in iter_result.items():
            k = self.k.get(name, self.k.get(""))
            if k is None:
                continue
            count, axis = k if isinstance(k, (tuple, list)) else (k, -1)
            array = numpy.asarray(array)
            order = numpy.argsort(-array if array.dtype.kind != "b" else ~array, axis=axis, kind="stable")
            iter_result[name] = numpy.take(order, range(min(count, array.shape[axis])), axis=axis)
        return iter_result


class PostprocessFunc:
    """The functions under their older names."""

    top_k = TopKPostprocessFunc
