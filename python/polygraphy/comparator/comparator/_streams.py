"""Results that come one iteration at a time."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional

from polygraphy.comparator.struct import RunResults
from polygraphy.logger import G_LOGGER


def _close_stream(stream: Any) -> None:
    """Ends a generator now, so that the runners in it are deactivated."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()


def iterations_of(run_results) -> Iterator[RunResults]:
    """The results of one iteration after the other, of whatever `compare_accuracy` takes."""
    if isinstance(run_results, RunResults):
        # One stream for each runner: none is compared beyond the shortest.
        return _merged_stream(
            [RunResults([(name, its)]).split() for name, its in run_results.items()]
        )
    if isinstance(run_results, (list, tuple)):
        streams = [r.split() if isinstance(r, RunResults) else iter(r) for r in run_results]
        return _merged_stream(streams)
    return iter(run_results)


def count_iterations(run_results) -> Optional[int]:
    """How many iterations `iterations_of` gives; None for generators."""
    if not isinstance(run_results, RunResults):
        return None
    return min((len(iterations) for _, iterations in run_results.items()), default=0)


def _merged_stream(streams: List[Iterator[RunResults]]) -> Iterator[RunResults]:
    """Iterations with the runners of all streams, as long as all of them last."""
    compared = 0
    end = object()
    try:
        while streams:  # without any, there are no iterations
            parts = [next(stream, end) for stream in streams]
            exhausted = [index for index, part in enumerate(parts) if part is end]
            if exhausted:
                if len(exhausted) < len(streams):
                    G_LOGGER.warning(
                        "The provided streams have different numbers of iterations. Only the "
                        f"first {compared} iteration(s) -- present in all {len(streams)} streams "
                        f"-- were compared; stream(s) at index {exhausted} ran out first."
                    )
                return
            merged = RunResults()
            for part in parts:
                merged.extend(part.lst)
            compared += 1
            yield merged
    finally:
        for stream in streams:
            try:
                _close_stream(stream)
            except Exception as err:
                # The others have to be closed as well.
                G_LOGGER.warning(f"Error while closing a stream: {err}")
