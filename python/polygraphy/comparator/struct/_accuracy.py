"""Results of comparisons."""

from __future__ import annotations

from collections import OrderedDict
from typing import Dict, Iterator, List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.common.interface import TypedDict, TypedList
from polygraphy.json import Decoder, Encoder, add_json_methods
from polygraphy.json.serde import register_fields
from polygraphy.logger import G_LOGGER


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
        return all(bool(result) for _, result in self._results())

    def _results(self) -> Iterator[tuple]:
        """Names of outputs, with results, of all pairs and iterations."""
        for iterations in self.values():
            for outputs in iterations:
                yield from outputs.items()

    def _pair(self, runner_pair):
        return util.default(runner_pair, next(iter(self.keys()), None))

    @mod.deprecate(remove_in="0.55.0", use_instead="stats", name="AccuracyResult.percentage")
    def percentage(self, runner_pair: Optional[Tuple[str, str]] = None) -> float:
        """The part of the iterations that matched, from 0 to 1; 1 without iterations.

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
        return util.unique_list(name for name, _ in self._results())

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
        metrics = (result for _, result in self._results() if self._is_metric(result))
        return next((result.metric_fields() for result in metrics), [])

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
        for name, result in self._results():
            threshold = util.value_or_from_dict(thresholds, name)
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
    """The result of `Comparator.compare_accuracy`: an AccuracyResult for each comparison function.

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


register_fields(AccuracyResults, "lst")
