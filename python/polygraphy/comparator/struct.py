"""Results: of one inference, of several runners, and of comparing them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

from polygraphy import config, mod, util
from polygraphy.common.interface import TypedDict, TypedList
from polygraphy.json import Decoder, Encoder, add_json_methods, load_json, save_json
from polygraphy.json.serde import iterate_from_files
from polygraphy.logger import G_LOGGER


class LazyArray:
    """An array that lies on disk if it is large (see `config.ARRAY_SWAP_THRESHOLD_MB`).

    Args:
        arr: The array.
    """

    def __init__(self, arr):
        self.arr = None
        self.tmpfile = None
        threshold = config.ARRAY_SWAP_THRESHOLD_MB
        if 0 <= threshold << 20 < util.array.nbytes(arr):
            self.tmpfile = util.NamedTemporaryFile(suffix=".json")
            G_LOGGER.extra_verbose(
                f"Evicting large array ({util.array.nbytes(arr) / 1024.0 ** 2:.3f} MiB) from "
                f"memory and saving to {self.tmpfile.name}"
            )
            save_json(arr, self.tmpfile.name)
        else:
            self.arr = arr

    def load(self):
        """The array."""
        if self.arr is not None:
            return self.arr
        if self.tmpfile is None:
            G_LOGGER.internal_error(
                "self.arr is None but self.tmpfile is also None; this should be impossible."
            )
        return load_json(self.tmpfile.name)


@Encoder.register(LazyArray)
def encode(lazy_arr):
    return {"values": lazy_arr.load()}


@Decoder.register(LazyArray, alias="LazyNumpyArray")
def decode(dct):
    return LazyArray(dct["values"])


@mod.export()
class IterationResult(TypedDict(lambda: str, lambda: LazyArray)):
    """Names of outputs -> arrays, of one inference of one runner.

    Args:
        outputs: Name -> array.
        runtime: Seconds that the inference took.
        runner_name: Who ran it, `"custom_runner"` if left out.
    """

    def __init__(
        self,
        outputs: Optional[dict] = None,
        runtime: Optional[float] = None,
        runner_name: Optional[str] = None,
    ):
        if outputs and config.ARRAY_SWAP_THRESHOLD_MB < 0:
            arrays = [out.arr if isinstance(out, LazyArray) else out for out in outputs.values()]
            total_size_gb = sum(_nbytes(arr) for arr in arrays) / (1024.0**3)
            if total_size_gb >= 1:
                G_LOGGER.warning(
                    "It looks like the outputs of this network are very large "
                    f"({total_size_gb:.3f} GiB).\nTo reduce memory usage, you may want to allow "
                    "Polygraphy to swap these arrays to the disk using the "
                    "POLYGRAPHY_ARRAY_SWAP_THRESHOLD_MB environment variable."
                )
        super().__init__({name: _lazy(out) for name, out in (outputs or {}).items()})
        self.runtime = runtime
        self.runner_name = util.default(runner_name, "custom_runner")

    def __getitem__(self, name):
        return super().__getitem__(name).load()

    def __setitem__(self, name, arr) -> None:
        super().__setitem__(name, _lazy(arr))

    def values(self) -> Iterator:
        for arr in super().values():
            yield arr.load()

    def items(self) -> Iterator[Tuple[str, object]]:
        for name, arr in super().items():
            yield name, arr.load()

    def update(self, other) -> None:
        for name, arr in other.items():
            self[name] = arr

    def __eq__(self, other) -> bool:
        if not isinstance(other, IterationResult):
            return NotImplemented
        return (
            self.runtime == other.runtime
            and self.runner_name == other.runner_name
            and set(self.keys()) == set(other.keys())
            and all(util.array.equal(arr, other[name]) for name, arr in self.items())
        )

    __hash__ = None


def _lazy(arr) -> LazyArray:
    return arr if isinstance(arr, LazyArray) else LazyArray(arr)


def _nbytes(arr) -> int:
    is_array = (
        util.array.is_numpy(arr) or util.array.is_torch(arr) or util.array.is_device_view(arr)
    )
    return util.array.nbytes(arr) if is_array else 0


@Encoder.register(IterationResult)
def encode(iter_result):
    return {
        "outputs": iter_result.dct,
        "runtime": iter_result.runtime,
        "runner_name": iter_result.runner_name,
    }


@Decoder.register(IterationResult)
def decode(dct):
    return IterationResult(
        outputs=dct["outputs"], runtime=dct["runtime"], runner_name=dct["runner_name"]
    )


@mod.export()
@add_json_methods("inference results")
class RunResults(TypedList(lambda: tuple)):
    """Names of runners with their results, one IterationResult for each iteration.

    A list of pairs, in which a name may occur twice, with the methods of a dictionary besides.

    Args:
        lst: The pairs.
    """

    def items(self) -> Iterator[Tuple[str, List[IterationResult]]]:
        """Names with results."""
        for name, iterations in self.lst:
            yield name, iterations

    def keys(self) -> Iterator[str]:
        """Names of runners."""
        for name, _ in self.lst:
            yield name

    def values(self) -> Iterator[List[IterationResult]]:
        """Results of runners."""
        for _, iterations in self.lst:
            yield iterations

    def update(self, other) -> None:
        """Takes over the results in a dictionary or other results, replacing those of a name."""
        for name, iterations in other.items():
            self[name] = iterations

    def add(
        self,
        out_list: List[dict],
        runtime: Optional[float] = None,
        runner_name: Optional[str] = None,
    ) -> None:
        """Adds outputs from elsewhere as those of a runner.

        Args:
            out_list: For each iteration, name -> array.
            runtime: Seconds that each took, or a list of them.
            runner_name: The runner, `"custom_runner"` if left out.
        """
        runner_name = util.default(runner_name, "custom_runner")
        iterations = []
        for index, outputs in enumerate(out_list):
            seconds = runtime[index] if util.is_sequence(runtime) else runtime
            iterations.append(IterationResult(outputs, seconds, runner_name))
        self[runner_name] = iterations

    def split(self) -> Iterator["RunResults"]:
        """The results of each iteration, as results of their own."""
        for index in range(max(map(len, self.values()), default=0)):
            yield RunResults(
                [(name, its[index : index + 1]) for name, its in self.items() if index < len(its)]
            )

    @staticmethod
    def concat(runs: Iterable["RunResults"]) -> "RunResults":
        """The iterations of several results, one after the other."""
        ret = RunResults()
        for run in runs:
            for name, iterations in run.items():
                ret[name] = (ret[name] if name in ret else []) + list(iterations)
        return ret

    @staticmethod
    def load_streaming(path, allow_dirs: bool = True) -> Iterator["RunResults"]:
        """The results of each iteration in a file or folder, loaded as they are asked for.

        Args:
            path: A file, or a folder with a file for each iteration, or several of both.
            allow_dirs: Whether folders are fine.
        """
        return iterate_from_files(path, lambda file: RunResults.load(file).split(), allow_dirs)

    def __getitem__(self, key):
        if not isinstance(key, str):
            return self.lst[key]
        for name, iterations in self.lst:
            if name == key:
                return iterations
        G_LOGGER.critical(
            f"{key:35} does not exist in this RunResults instance. "
            f"Note: Available runners: {list(self.keys())}"
        )

    def __setitem__(self, key, value) -> None:
        if not isinstance(key, str):
            super().__setitem__(key, value)
            return
        for index, name in enumerate(self.keys()):
            if name == key:
                self.lst[index] = (key, value)
                return
        self.append((key, value))

    def __contains__(self, val) -> bool:
        return val in list(self.keys()) if isinstance(val, str) else val in self.lst

    def __eq__(self, other) -> bool:
        if not isinstance(other, RunResults):
            return NotImplemented
        return list(self.keys()) == list(other.keys()) and all(
            mine == theirs for mine, theirs in zip(self.values(), other.values())
        )

    __hash__ = None


@Encoder.register(RunResults)
def encode(results):
    return {"lst": results.lst}


@Decoder.register(RunResults)
def decode(dct):
    return RunResults([tuple(pair) for pair in dct["lst"]])


@mod.export()
class AccuracyResult(TypedDict(lambda: tuple, lambda: list)):
    """Pairs of runners -> for each iteration, name of an output -> result of one comparison.

    Args:
        dct: The contents.
        aggregation: `"per_sample"`: each iteration passes or fails. `"average"`: metrics are
            averaged over the iterations, and each output passes or fails.
    """

    def __init__(self, dct: Optional[dict] = None, aggregation: str = "per_sample"):
        super().__init__(dct)
        self.aggregation = aggregation

    def __bool__(self) -> bool:
        """Whether everything matched."""
        if self.aggregation == "average":
            return all(
                bool(result)
                for pair in self.keys()
                for result in self.average_results(pair).values()
            )
        return all(
            bool(result)
            for iterations in self.values()
            for outputs in iterations
            for result in outputs.values()
        )

    def _pair(self, runner_pair):
        return util.default(runner_pair, next(iter(self.keys()), None))

    @mod.deprecate(remove_in="0.55.0", use_instead="stats", name="AccuracyResult.percentage")
    def percentage(self, runner_pair: Optional[Tuple[str, str]] = None) -> float:
        """The part of the iterations that matched, from 0 to 1; 1 if there are none.

        Args:
            runner_pair: Of which runners, of the first pair if left out.
        """
        if not self.dct:
            return 1.0
        matched, _, total = self.stats(runner_pair)
        return float(matched) / float(total) if total else 1.0

    def stats(self, runner_pair: Optional[Tuple[str, str]] = None) -> Tuple[int, int, int]:
        """How many iterations matched, how many did not, and how many there are.

        Args:
            runner_pair: Of which runners, of the first pair if left out.
        """
        if not self.dct:
            return 0, 0, 0
        iterations = self[self._pair(runner_pair)]
        matched = sum(all(map(bool, outputs.values())) for outputs in iterations)
        return matched, len(iterations) - matched, len(iterations)

    def output_names(self) -> List[str]:
        """The outputs that were compared, as they first appear."""
        return util.unique_list(
            name for iterations in self.values() for outputs in iterations for name in outputs
        )

    @staticmethod
    def _is_metric(result) -> bool:
        from polygraphy.comparator.compare import CompareResult

        return isinstance(result, CompareResult)

    def average_results(self, runner_pair: Optional[Tuple[str, str]] = None) -> Dict:
        """For each output, a result of averaged metrics with the thresholds of the single ones.

        Args:
            runner_pair: Of which runners, of the first pair if left out.
        """
        by_output: Dict[str, list] = OrderedDict()
        for outputs in self[self._pair(runner_pair)] if self.dct else []:
            for name, result in outputs.items():
                by_output.setdefault(name, []).append(result)

        averaged = OrderedDict()
        for name, results in by_output.items():
            if not all(map(self._is_metric, results)):
                G_LOGGER.critical(
                    f"Output: {name} | Cannot compute an averaged comparison because at least "
                    "one iteration produced no comparable metrics (e.g. a shape mismatch). "
                    "Averaging over only the comparable iterations would be misleading, so the "
                    "comparison cannot be evaluated with check_average=True. Re-run without "
                    "check_average to see the per-iteration results."
                )
            metrics = {}
            for field in results[0].metric_fields():
                values = [result.metric_values()[field] for result in results]
                known = None not in values
                metrics[field] = sum(map(float, values)) / len(values) if known else None
            averaged[name] = type(results[0])(**metrics, thresholds=results[-1].thresholds)
        return averaged

    def describe_average(self, runner_pair: Optional[Tuple[str, str]] = None) -> Dict:
        """For each output whose threshold has words for it: a line of text, and whether it passed.

        Args:
            runner_pair: Of which runners, of the first pair if left out.
        """
        described = OrderedDict()
        for name, result in self.average_results(runner_pair).items():
            description = result.describe()
            if description is not None:
                described[name] = description
        return described

    def _result_metric_fields(self) -> List[str]:
        """The metrics of the results, none if they have no metrics."""
        for iterations in self.values():
            for outputs in iterations:
                for result in outputs.values():
                    if self._is_metric(result):
                        return result.metric_fields()
        return []

    @staticmethod
    def _threshold_for(thresholds, output_name: str):
        return util.value_or_from_dict(thresholds, output_name)

    def _check_rethresholdable(self, output_name: str, result, threshold) -> None:
        if not self._is_metric(result):
            G_LOGGER.critical(
                f"Output: '{output_name}' has no re-thresholdable metrics (e.g. it was a shape "
                "mismatch or an 'indices' comparison), so it cannot be re-evaluated against new "
                "thresholds.\nNote: Re-run the comparison from saved raw outputs (run "
                "--save-outputs / --load-outputs) for such comparisons."
            )
        have = result.metric_fields()
        missing = [field for field in threshold.metric_fields() if field not in have]
        if missing:
            G_LOGGER.critical(
                f"The requested comparison expects metric field(s) {missing} which are not "
                f"present in the saved results for output: '{output_name}' (it has: {have}).\n"
                "Note: If these results were produced by a custom comparison function, re-supply "
                "it with --compare-func-script."
            )

    def reevaluate(self, thresholds, aggregation: Optional[str] = None) -> "AccuracyResult":
        """Checks the metrics that are there against other thresholds, in place.

        Args:
            thresholds: A Threshold, or name of an output -> Threshold, with `""` for the others.
            aggregation: How results count from now on; as before if left out.

        Returns:
            The object itself.
        """
        # Everything is checked before anything changes.
        changes = []
        for iterations in self.values():
            for outputs in iterations:
                for name, result in outputs.items():
                    threshold = self._threshold_for(thresholds, name)
                    if threshold is None:
                        G_LOGGER.critical(f"No threshold was provided for output: '{name}'.")
                    self._check_rethresholdable(name, result, threshold)
                    changes.append((result, threshold))
        for result, threshold in changes:
            result.set_thresholds(threshold)
        self.aggregation = util.default(aggregation, self.aggregation)
        return self


@Encoder.register(AccuracyResult)
def encode(result):
    return {"lst": list(result.items()), "aggregation": result.aggregation}


@Decoder.register(AccuracyResult)
def decode(dct):
    return AccuracyResult(
        {tuple(pair): iterations for pair, iterations in dct["lst"]},
        aggregation=dct.get("aggregation", "per_sample"),
    )


@mod.export()
@add_json_methods("accuracy results")
class AccuracyResults(TypedList(lambda: AccuracyResult)):
    """What `Comparator.compare_accuracy` returns: an AccuracyResult for each comparison function.

    It is true if all of them are.

    Args:
        lst: The results.
    """

    def __bool__(self) -> bool:
        return all(map(bool, self.lst))

    def output_names(self) -> List[str]:
        """The outputs that were compared, as they first appear."""
        return util.unique_list(name for result in self.lst for name in result.output_names())

    @staticmethod
    def _threshold_metric_fields(threshold) -> List[str]:
        if isinstance(threshold, dict):
            if not threshold:
                G_LOGGER.critical("A per-output threshold dictionary cannot be empty.")
            threshold = next(iter(threshold.values()))
        return threshold.metric_fields()

    def reevaluate(self, thresholds, aggregation: Optional[str] = None) -> "AccuracyResults":
        """Checks the metrics that are there against other thresholds, in place.

        Results of comparisons for which there is no threshold are dropped.

        Args:
            thresholds: A threshold, or dictionary of them by output, or a list of either, one for
                each comparison.
            aggregation: How results count from now on; as before if left out.

        Returns:
            The object itself.
        """
        selected = []
        for threshold in thresholds if isinstance(thresholds, (list, tuple)) else [thresholds]:
            fields = self._threshold_metric_fields(threshold)
            match = next((r for r in self.lst if r._result_metric_fields() == fields), None)
            if match is None:
                G_LOGGER.critical(
                    f"No saved comparison results match the requested threshold (metric fields: "
                    f"{fields}).\nNote: the saved results contain these metric fields: "
                    f"{[r._result_metric_fields() for r in self]}. If these results came from a "
                    "custom comparison function, its threshold type is reachable via "
                    "--compare-func-script."
                )
            selected.append((match, threshold))
        for result in self.lst:
            if not any(result is match for match, _ in selected):
                G_LOGGER.info(
                    "Ignoring saved comparison with metric fields "
                    f"{result._result_metric_fields()}: no matching threshold was requested."
                )
        for match, threshold in selected:
            match.reevaluate(threshold, aggregation)
        self.lst = [match for match, _ in selected]
        return self


@Encoder.register(AccuracyResults)
def encode(results):
    return {"lst": results.lst}


@Decoder.register(AccuracyResults)
def decode(dct):
    return AccuracyResults(dct["lst"])
