"""Engines as text."""

from __future__ import annotations

from typing import Dict, Optional

from polygraphy import mod, util
from polygraphy.backend.trt._engine_text import (
    layers_from_inspector,
    str_from_engine_layer,
    str_from_profiles,
)
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._io_tensors import get_metadata_from_engine
from polygraphy.backend.trt.util._messages import _warn_once
from polygraphy.logger import G_LOGGER


class TensorInfo:
    """The minimum, maximum and mean values of tensors, from saved outputs.

    Args:
        json_path: A file of saved outputs (`RunResults`).
    """

    def __init__(self, json_path: Optional[str] = None):
        self.tensors: Dict[str, dict] = {}
        if json_path:
            self.load_json(json_path)

    def load_json(self, json_path: str) -> None:
        """Adds the outputs of the first iteration of the first runner in a file."""
        from polygraphy.comparator import RunResults
        from polygraphy.json import load_json

        results = load_json(json_path)
        if not isinstance(results, RunResults):
            G_LOGGER.warning(f"Unsupported tensor info format: {json_path}")
            return
        if not results:
            return
        runner, iterations = next(iter(results.items()))
        if not iterations:
            G_LOGGER.warning(f"No iterations found for runner: {runner}")
            return
        if len(iterations) > 1:
            G_LOGGER.warning(
                f"Found {len(iterations)} iterations in tensor info file, only using the first one"
            )
        for name, array in iterations[0].items():
            array = util.array.to_numpy(array)
            if array.size:
                self.tensors[name] = {
                    "min": float(array.min()),
                    "max": float(array.max()),
                    "avg": float(array.mean()),
                }

    def get_tensor_statistics(self, tensor_name: str) -> str:
        """The end of a line about a tensor; nothing where nothing is known."""
        if tensor_name not in self.tensors:
            return ""
        values = self.tensors[tensor_name].items()
        return "".join(f", {what}={value:.2f}" for what, value in values)


def str_from_engine(
    engine,
    context,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    combine_tensor_info: Optional[str] = None,
) -> str:
    """An engine as text.

    Args:
        engine: The engine.
        context: An execution context of it.
        show_layers: Whether to list its layers.
        show_attrs: Whether to list their attributes, too.
        combine_tensor_info: A file of saved outputs (`RunResults`): their minimum, maximum and
            mean values are shown with the tensors.
    """
    refittable = "Refittable " if engine.refittable else ""
    ret = f"Name: {engine.name} | {refittable}Explicit Batch Engine\n\n"
    for kind, mode in (("Input", trt.TensorIOMode.INPUT), ("Output", trt.TensorIOMode.OUTPUT)):
        meta = get_metadata_from_engine(engine, context, mode)
        ret += f"---- {len(meta)} Engine {kind}(s) ----\n{meta}\n\n"
    memory = util.try_getattr(engine, "device_memory_size_v2")
    memory = util.try_getattr(engine, "device_memory_size") if memory is None else memory
    ret += f"---- Memory ----\nDevice Memory: {memory} bytes\n\n"
    ret += str_from_profiles(engine)

    ret += _str_from_engine_layers(engine, context, show_layers, show_attrs, combine_tensor_info)
    return util.indent_block(ret, level=0)


def _str_from_engine_layers(
    engine,
    context,
    show_layers: Optional[bool],
    show_attrs: Optional[bool],
    combine_tensor_info: Optional[str],
) -> str:
    # Engines count the layers of all profiles. From TensorRT 10 on, these are alike.
    num_profiles = engine.num_optimization_profiles
    num_layers = engine.num_layers // num_profiles if num_profiles else 0
    are_alike = mod.version(trt.__version__) >= mod.version("10.0")
    num_shown = min(num_profiles, 1) if are_alike else num_profiles

    if not hasattr(engine, "create_engine_inspector"):
        G_LOGGER.warning(
            f"IEngineInspector is not available in TensorRT {trt.__version__}; "
            "layer information will be omitted."
        )
        return f"---- {num_layers} Layer(s) ----\n"
    inspector = engine.create_engine_inspector()
    if context:
        inspector.execution_context = context
    statistics = TensorInfo(combine_tensor_info) if combine_tensor_info else None
    layers = layers_from_inspector(inspector, num_layers * num_shown)
    if layers and engine.profiling_verbosity != trt.ProfilingVerbosity.DETAILED:
        _warn_once(
            f"Engine profiling verbosity: {engine.profiling_verbosity}. Some layer info may "
            "be missing. Set higher verbosity for more detail."
        )
    ret = f"---- {num_layers} Layer(s){' Per Profile' if num_shown > 1 else ''} ----\n"
    for profile in range(num_shown if show_layers else 0):
        if num_shown > 1:
            ret += f"- Profile: {profile}\n"
        for index in range(num_layers):
            layer = layers[profile * num_layers + index]
            text = str_from_engine_layer(layer, index, show_attrs, statistics)
            ret += util.indent_block(text, level=int(num_shown > 1)) + "\n\n"
    return ret
