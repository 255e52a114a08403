"""Running engines."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Optional, Tuple

from polygraphy import cuda, mod, util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.runner._inference import (
    InferringRunner,
    _make_debug_listener,
    _make_output_allocator,
)
from polygraphy.common import TensorMetadata
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
        attribute, budget_of = "weight_streaming_budget_v2", _budget_v2
    elif hasattr(trt.ICudaEngine, "weight_streaming_budget"):
        attribute, budget_of = "weight_streaming_budget", _budget_v1
    else:
        trt_util.fail_unavailable("weight streaming in TrtRunner")
    budget, of_all = budget_of(engine, budget, percent)
    setattr(engine, attribute, budget)
    if getattr(engine, attribute) != budget:
        G_LOGGER.critical(f"Failed to set weight streaming budget to {budget}!")
    if budget == of_all:
        G_LOGGER.info("Weight streaming is disabled.")
    elif budget == -1:
        G_LOGGER.info(
            "Weight streaming is enabled with TensorRT automatically determining the budget."
        )
    else:
        G_LOGGER.info(f"Weight streaming is enabled with a memory budget of {budget} bytes.")


def _budget_v1(engine, budget: Optional[int], percent: Optional[float]) -> Tuple[int, int]:
    """The budget to set, and that of all weights on the GPU, 0. Before TensorRT 10.1; -1 is
    TensorRT's choice."""
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
    return budget, 0


def _budget_v2(engine, budget: Optional[int], percent: Optional[float]) -> Tuple[int, int]:
    """The same in bytes of weights that stay on the GPU."""
    most = engine.streamable_weights_size
    if budget is None:
        budget = int(percent / 100 * most)
    elif budget == -2:
        budget = most
    elif budget == -1:
        budget = engine.get_weight_streaming_automatic_budget()
    return budget, most


@mod.export()
class TrtRunner(InferringRunner):
    """Runs inference with TensorRT.

    The runner owns the memory of outputs, and writes there again in the next inference.
    """

    _OF_AN_ACTIVATION = (
        "engine",
        "context",
        "device_input_buffers",
        "host_output_buffers",
        "stream",
        "context_memory_buffer",
        "output_allocator",
        "input_tensor_addresses",
        "_shape_tensors",
        "_active_debug_listener",
    )

    def __init__(
        self,
        engine,
        name: Optional[str] = None,
        optimization_profile: Optional[int] = None,
        allocation_strategy: Optional[str] = None,
        weight_streaming_budget: Optional[int] = None,
        weight_streaming_percent: Optional[float] = None,
        debug_listener=None,
    ):
        """
        Args:
            engine: A `tensorrt.ICudaEngine` or `tensorrt.IExecutionContext`, or a callable that
                returns one.
            name: The runner's name; a generated one with the prefix `trt-runner` if left out.
            optimization_profile: The index of the profile to set in each activation; see
                `set_profile()`.
            allocation_strategy: Allocation of activation memory: `"static"`, by TensorRT, once for
                all profiles; `"profile"`, by the runner, for the active profile; `"runtime"`, by
                the runner, for the shapes of the inputs. `"static"` if left out. An execution
                context as `engine` must have been created for it.
            weight_streaming_budget: Bytes of GPU memory for streamable weights: -1 if TensorRT
                chooses, -2 for all. TensorRT's default if left out.
            weight_streaming_percent: The same as a percentage, from 0 to 100, of the streamable
                weights. Ignored with `weight_streaming_budget`.
            debug_listener: The `tensorrt.IDebugListener` to set in each activation. If left out,
                one that adds the debug tensors to the outputs.
        """
        super().__init__(name=name, prefix="trt-runner")
        self._engine_or_context = engine
        self.optimization_profile = optimization_profile
        self.allocation_strategy = allocation_strategy
        self.weight_streaming_budget = weight_streaming_budget
        self.weight_streaming_percent = weight_streaming_percent
        self.debug_listener = debug_listener

    def activate_impl(self) -> None:
        try:
            self._load()
            self._allocate()
        except BaseException:
            self._release()
            raise

    def _load(self) -> None:
        """Gets engine and context."""
        engine_or_context, _ = util.invoke_if_callable(self._engine_or_context)
        if isinstance(engine_or_context, trt.ICudaEngine):
            self.engine = engine_or_context
            set_weight_streaming_budget(
                self.engine, self.weight_streaming_budget, self.weight_streaming_percent
            )
            self.context = self._create_context()
        elif isinstance(engine_or_context, trt.IExecutionContext):
            self.context = engine_or_context
            self.engine = self.context.engine
            if self.allocation_strategy is not None:
                G_LOGGER.warning(
                    "An allocation strategy was specified. Please ensure the provided execution "
                    "context uses the same strategy."
                )
        else:
            G_LOGGER.critical(
                "Invalid Engine or Context. Please ensure the engine was built correctly. See "
                "error log for details."
            )

    def _allocate(self) -> None:
        """Allocates buffers for inferences, and sets up the context."""
        self.device_input_buffers = OrderedDict()
        self.host_output_buffers = OrderedDict()
        self.stream = cuda.Stream()
        self.context_memory_buffer = None
        self.output_allocator = _make_output_allocator()
        self.input_tensor_addresses = OrderedDict()
        # TensorRT reads values of shape tensors in place, at any time.
        self._shape_tensors = {}
        self._active_debug_listener = None
        if hasattr(self.context, "set_all_tensors_debug_state"):
            self.context.set_all_tensors_debug_state(True)
            listener = self.debug_listener
            self._install_debug_listener(_make_debug_listener() if listener is None else listener)
        if self.optimization_profile is not None:
            self.set_profile(self.optimization_profile)

    def _create_context(self):
        if self.allocation_strategy in (None, "static"):
            context = self.engine.create_execution_context()
        elif self.allocation_strategy in ("profile", "runtime"):
            strategies = util.try_getattr(trt, "ExecutionContextAllocationStrategy")
            if strategies is None:
                trt_util.fail_unavailable("allocation_strategy in TrtRunner")
            context = self.engine.create_execution_context(strategies.USER_MANAGED)
        else:
            G_LOGGER.critical("Invalid allocation strategy specified.")
        if context is None:
            G_LOGGER.critical("Invalid Context. See error log for details.")
        return context

    def _must_be_active(self, method: str) -> None:
        # Not `is_active`: a profile is also set in the course of an activation.
        if getattr(self, "context", None) is None:
            G_LOGGER.critical(f"{self.name:35} | Must be activated prior to calling {method}()")

    def set_profile(self, index: int) -> None:
        """Sets the optimization profile. Needs an active runner; the next activation has its own.

        Args:
            index: The index of a profile of the engine.
        """
        self._must_be_active("set_profile")
        if not self.context.set_optimization_profile_async(index, self.stream.ptr):
            G_LOGGER.critical(f"Failed to set optimization profile to: {index}")

    def set_debug_listener(self, listener) -> None:
        """Sets the debug listener. Needs an active runner; the next activation has its own.

        Args:
            listener: A `tensorrt.IDebugListener`, or None.
        """
        self._must_be_active("set_debug_listener")
        if not hasattr(self.context, "set_debug_listener"):
            trt_util.fail_unavailable("set_debug_listener in TrtRunner")
        self._install_debug_listener(listener)

    def _install_debug_listener(self, listener) -> None:
        if not self.context.set_debug_listener(listener):
            G_LOGGER.critical("Failed to set debug listener.")
        self._active_debug_listener = listener

    def get_input_metadata_impl(self) -> TensorMetadata:
        return trt_util.get_metadata_from_engine(
            self.engine, self.context, mode=trt.TensorIOMode.INPUT
        )

    def infer_impl(
        self,
        feed_dict: dict,
        copy_outputs_to_host: Optional[bool] = None,
        return_raw_buffers: Optional[bool] = None,
    ) -> OrderedDict:
        """
        Args:
            feed_dict: Name -> NumPy array, DeviceView, torch tensor, or FormattedArray. Data on
                the GPU is used in place. Shape tensors must be in host memory.
            copy_outputs_to_host: Whether outputs are arrays in host memory. Otherwise they are on
                the GPU: DeviceViews, or torch tensors if torch has a GPU. True if left out.
            return_raw_buffers: Whether outputs are FormattedArrays of bytes. Those with formats
                that no array has are, in any case. False if left out.

        Returns:
            OrderedDict: Name -> array; torch tensors if any input is one. Then come debug tensors,
            in host memory.
        """
        start = time.time()
        output_buffers = self._infer_impl(
            feed_dict,
            util.default(copy_outputs_to_host, True),
            util.default(return_raw_buffers, False),
        )
        self.inference_time = time.time() - start
        return output_buffers

    def deactivate_impl(self) -> None:
        self._release()

    def _release(self) -> None:
        """Frees the resources of an activation, or a part of them if it failed. Memory of outputs
        lives as long as views of it."""
        taken = {name: vars(self).pop(name, None) for name in self._OF_AN_ACTIVATION}
        for buffer in (taken["device_input_buffers"] or {}).values():
            buffer.free()
        if taken["context_memory_buffer"] is not None:
            taken["context_memory_buffer"].free()
        if taken["output_allocator"] is not None:
            # The context keeps the allocator.
            taken["output_allocator"].buffers.clear()
        if taken["stream"] is not None:
            taken["stream"].free()


mod.export_parts()
