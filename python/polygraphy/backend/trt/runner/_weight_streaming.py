"""How many of an engine's weights are on the GPU."""

from __future__ import annotations

from typing import Optional

from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.logger import G_LOGGER


def set_weight_streaming_budget(engine, budget: Optional[int], percent: Optional[float]) -> None:
    """Limits the weights of an engine that are on the GPU. See TrtRunner for both limits.

    Raises:
        PolygraphyException: If a limit is out of its range, or the engine does not take it.
    """
    if budget is not None and percent is not None:
        G_LOGGER.warning(
            "Cannot specify the weight streaming budget both in bytes and percentage. "
            "Prioritizing the bytes value."
        )
    if budget is not None:
        if budget < -2:
            G_LOGGER.critical(
                f"The weight streaming budget must be -2, -1, or a number of bytes, not {budget}"
            )
    elif percent is None:
        return
    elif not 0 <= percent <= 100:
        G_LOGGER.critical(
            f"The weight streaming percentage must be between 0 and 100, not {percent}"
        )

    # Of the class: reading the budget of an engine without one may be an error.
    if hasattr(trt.ICudaEngine, "weight_streaming_budget_v2"):
        _set_budget_v2(engine, budget, percent)
    elif hasattr(trt.ICudaEngine, "weight_streaming_budget"):
        _set_budget_v1(engine, budget, percent)
    else:
        trt_util.fail_unavailable("weight streaming in TrtRunner")


def _set_budget_v1(engine, budget: Optional[int], percent: Optional[float]) -> None:
    """Before TensorRT 10.1: 0 is all weights on the GPU, -1 is TensorRT's choice."""
    if budget is None:
        budget = 0
        if percent != 0:
            least = engine.minimum_weight_streaming_budget
            most = engine.streamable_weights_size
            # The percentage is of the weights that are not on the GPU.
            share = 1 - percent / 100
            budget = int(least + share * (most - least))
    elif budget == -2:
        budget = 0
    engine.weight_streaming_budget = budget
    _check_budget(budget, engine.weight_streaming_budget)
    if budget == 0:
        G_LOGGER.info("Weight streaming is disabled.")
    elif budget == -1:
        G_LOGGER.info(
            "Weight streaming is enabled with TensorRT automatically determining the budget."
        )
    else:
        G_LOGGER.info(f"Weight streaming is enabled with a memory budget of {budget} bytes.")


def _set_budget_v2(engine, budget: Optional[int], percent: Optional[float]) -> None:
    """The budget is the number of bytes of weights that stay on the GPU."""
    most = engine.streamable_weights_size
    if budget is None:
        budget = int(percent / 100 * most)
    elif budget == -2:
        budget = most
    elif budget == -1:
        budget = engine.get_weight_streaming_automatic_budget()
    engine.weight_streaming_budget_v2 = budget
    _check_budget(budget, engine.weight_streaming_budget_v2)
    if budget == most:
        G_LOGGER.info("Weight streaming is disabled.")
    else:
        G_LOGGER.info(f"Weight streaming is enabled with a memory budget of {budget} bytes.")


def _check_budget(wanted: int, actual: int) -> None:
    if actual != wanted:
        G_LOGGER.critical(f"Failed to set weight streaming budget to {wanted}!")
