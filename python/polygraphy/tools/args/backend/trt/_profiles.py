"""Optimization profiles from the texts of options."""

from __future__ import annotations

import copy
from typing import Dict, List, Tuple

from polygraphy import util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.tools.args import util as args_util


def _profile_shapes(metadata: TensorMetadata) -> Dict[str, List[int]]:
    """Input -> shape, with 1 for every unknown dimension. Inputs without a shape are left out:
    TensorRT chooses their shapes."""
    shapes = {}
    for name, (_, shape) in metadata.items():
        if shape is None:
            continue
        shapes[name] = list(shape)
        if util.is_shape_dynamic(shape):
            shapes[name] = util.override_dynamic_shape(shape)
            G_LOGGER.warning(
                f"Input tensor: {name} | For TensorRT profile, overriding dynamic shape: {shape} "
                f"to: {shapes[name]}",
                mode=LogMode.ONCE,
            )
    return shapes


def _check_same_inputs(first: dict, first_kind: str, second: dict, second_kind: str) -> None:
    if first.keys() != second.keys():
        G_LOGGER.critical(
            f"Mismatch in input names between {first_kind} shapes ({list(first)}) and "
            f"{second_kind} shapes ({list(second)})"
        )


def parse_profile_shapes(
    default_shapes: TensorMetadata,
    min_args: List[List[str]],
    opt_args: List[List[str]],
    max_args: List[List[str]],
) -> List[Dict[str, Tuple[List[int], List[int], List[int]]]]:
    """The optimization profiles that options request.

    A missing maximum is the optimum, a missing optimum the minimum, and a missing minimum the
    maximum of the profile before.

    Args:
        default_shapes: Initial shapes of inputs. With any shape, at least one profile results.
        min_args: For each profile, texts like `NAME:SHAPE` of minimum shapes.
        opt_args: The same of optimum shapes.
        max_args: The same of maximum shapes.

    Returns:
        For each profile: input -> minimum, optimum and maximum shape.

    Raises:
        PolygraphyException: If the inputs of the three differ.
    """
    known = copy.copy(default_shapes)

    def next_shapes(given: list, profile: int) -> Dict[str, List[int]]:
        if profile < len(given):
            known.update(args_util.parse_meta(given[profile], includes_dtype=False))
        return _profile_shapes(known)

    count = max(len(given) for given in (min_args, opt_args, max_args))
    if any(shape is not None for _, shape in default_shapes.values()):
        count = max(count, 1)
    profiles = []
    for index in range(count):
        minimum, optimum, maximum = (
            next_shapes(given, index) for given in (min_args, opt_args, max_args)
        )
        _check_same_inputs(minimum, "minimum", optimum, "optimum")
        _check_same_inputs(optimum, "optimum", maximum, "maximum")
        profiles.append({name: (minimum[name], optimum[name], maximum[name]) for name in minimum})
    return profiles
