"""The base class of runners, which run a model in one framework or another."""

from __future__ import annotations

import contextlib
import copy
import time
from collections import defaultdict
from typing import Optional

from polygraphy import config, func, mod, util
from polygraphy.backend.base.util import check_inputs, warn_of_direct_calls
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod._lazy_modules import np


def _as_array(value, meta):
    dtype = None if meta.dtype is None else DataType.to_dtype(meta.dtype, "numpy")
    return np.asarray(value, dtype=dtype)


def _feed_dict(values: list, input_metadata) -> dict:
    """The inputs by name. The value of an only input may be given itself, not in a list."""
    if len(input_metadata) == 1:
        ((name, meta),) = input_metadata.items()
        try:
            whole = _as_array(values, meta)
        except ValueError:  # arrays of several shapes
            pass
        else:
            if util.is_valid_shape_override(whole.shape, meta.shape):
                return {name: whole}
    if len(values) != len(input_metadata):
        raise PolygraphyException(
            f"{len(values)} inputs were given for {len(input_metadata)}: {list(input_metadata)}"
        )
    return {
        name: _as_array(value, meta) for value, (name, meta) in zip(values, input_metadata.items())
    }


def infer_values(runner, values, *args, **kwargs) -> list:
    """Runs inference on a runner, which is active only for this call if it was not.

    Args:
        runner: The runner.
        values: The inputs in the runner's order, or the value of its only input.
        args: For `infer`.
        kwargs: The same.

    Returns:
        The outputs in the runner's order; copies.
    """
    with contextlib.nullcontext() if runner.is_active else runner:
        feed_dict = _feed_dict(values, runner.get_input_metadata(use_numpy_dtypes=False))
        return copy.deepcopy(list(runner.infer(feed_dict, True, *args, **kwargs).values()))


@mod.export()
class BaseRunner:
    """Runs inference between `activate()` and `deactivate()`, or inside a `with` statement.

    Derived classes implement the methods whose names end in `_impl`; only this class calls them.

    Args:
        name: The runner's name. Made of `prefix`, a count and the time if left out.
        prefix: First part of a name that is made, `"Runner"` if left out.
    """

    RUNNER_COUNTS = defaultdict(int)

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        callers = ("activate", "deactivate", "get_input_metadata", "infer")
        warn_of_direct_calls(cls, **{f"{caller}_impl": caller for caller in callers})

    def __init__(self, name: Optional[str] = None, prefix: Optional[str] = None):
        self.name = self._next_name(util.default(prefix, "Runner")) if name is None else name
        self.inference_time = None

        self.is_active = False
        """bool: Whether the runner is active; None if deactivating it failed"""
        self._pre_activate_runner_state = None

    @staticmethod
    def _next_name(prefix: str) -> str:
        """A name of which there has been none."""
        count = BaseRunner.RUNNER_COUNTS[prefix]
        BaseRunner.RUNNER_COUNTS[prefix] = count + 1
        return time.strftime(f"{prefix.replace('%', '%%')}-N{count}-%x-%X")

    @func.constantmethod
    def last_inference_time(self) -> Optional[float]:
        """Seconds that the last inference took, None (with a warning) if it was not measured."""
        if self.inference_time is None:
            msg = (
                f"{self.name:35} | `inference_time` was not set. "
                "Inference time will be incorrect! "
                "To correctly compare runtimes, please set the `inference_time` attribute in "
                "`infer_impl()`"
            )
            G_LOGGER.internal_error(msg)
            G_LOGGER.warning(msg, mode=LogMode.ONCE)
            return None
        return self.inference_time

    def __enter__(self) -> "BaseRunner":
        """Activates the runner."""
        self.activate()
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        """Deactivates the runner."""
        self.deactivate()

    def activate_impl(self) -> None:
        """Gets ready: loads the model, allocates memory. To be overridden."""

    def activate(self) -> None:
        """Makes the runner ready for inference. A second time, it only warns.

        Every activation needs a `deactivate()`; a `with` statement does both.
        """
        if self.is_active:
            G_LOGGER.warning(
                f"{self.name:35} | Already active; will not activate again. "
                "If you really want to activate this runner again, call activate_impl() directly"
            )
            return
        # The state itself is not a part of the state.
        self._pre_activate_runner_state = None
        if config.INTERNAL_CORRECTNESS_CHECKS:
            self._pre_activate_runner_state = copy.copy(vars(self))
        self.activate_impl()
        self.is_active = True

    def get_input_metadata_impl(self):
        """TensorMetadata of the inputs. To be implemented by derived classes."""
        raise NotImplementedError("BaseRunner is an abstract class")

    def get_input_metadata(self, use_numpy_dtypes: Optional[bool] = None):
        """Names, data types and shapes of the inputs. Needs an active runner.

        Args:
            use_numpy_dtypes: Whether data types are NumPy's instead of Polygraphy's `DataType`;
                True if left out, which is deprecated.

        Returns:
            TensorMetadata: An object of the caller's own.
        """
        if not self.is_active:
            G_LOGGER.critical(
                f"{self.name:35} | Must be activated prior to calling get_input_metadata()"
            )
        meta = copy.deepcopy(self.get_input_metadata_impl())
        if util.default(use_numpy_dtypes, True):
            mod.warn_deprecated(
                "Returning NumPy data types instead of Polygraphy `DataType`s from "
                "`get_input_metadata()`",
                use_instead=None,
                remove_in="0.60.0",
            )
            for entry in meta.values():
                # Around the setter, which would convert them back.
                entry._dtype = DataType.to_dtype(entry.dtype, "numpy") if entry.dtype else None
        return meta

    def infer_impl(self, feed_dict):
        """Runs inference and sets `inference_time`. To be implemented by derived classes, which may
        have further parameters."""
        raise NotImplementedError("BaseRunner is an abstract class")

    def infer(self, feed_dict, check_inputs: bool = True, *args, **kwargs):
        """Runs inference. Needs an active runner.

        Args:
            feed_dict: Name of an input -> array. With a list of values, the outputs are a list, too,
                and the runner need not be active.
            check_inputs: Whether to compare names, data types and shapes with what is expected.
            args: For the runner's own `infer_impl`.
            kwargs: The same.

        Attributes:
            inference_time (float): Seconds that it took

        Returns:
            dict: Name of an output -> array. The next inference may overwrite the arrays.
        """
        if check_inputs and isinstance(feed_dict, (list, tuple)):
            return infer_values(self, feed_dict, *args, **kwargs)
        if not self.is_active:
            G_LOGGER.critical(f"{self.name:35} | Must be activated prior to calling infer()")
        if check_inputs:
            input_metadata = self.get_input_metadata(use_numpy_dtypes=False)
            G_LOGGER.verbose(
                f"{self.name:35} | Input metadata is: {input_metadata}", mode=LogMode.ONCE
            )
            _check_inputs(feed_dict, input_metadata)
        return self.infer_impl(feed_dict, *args, **kwargs)

    def deactivate_impl(self) -> None:
        """Frees what `activate_impl` took. To be overridden."""

    def deactivate(self) -> None:
        """Frees what the runner holds. If it is not active, this only warns."""
        if not self.is_active:
            G_LOGGER.warning(
                f"{self.name:35} | Not active; will not deactivate. "
                "If you really want to deactivate this runner, call deactivate_impl() directly"
            )
            return
        self.inference_time = None
        # Neither active nor inactive, should the next line fail.
        self.is_active = None
        self.deactivate_impl()
        self.is_active = False
        if self._pre_activate_runner_state is not None:
            old_state, self._pre_activate_runner_state = self._pre_activate_runner_state, None
            if old_state != vars(self):
                G_LOGGER.internal_error(
                    "Runner state was not reset after deactivation. Note:\n"
                    f"Old state: {old_state}\nNew state: {vars(self)}"
                )

    def __del__(self):
        # A constructor that failed leaves an object without attributes.
        if getattr(self, "is_active", False):
            print(
                f"[W] {self.name:35} | Was activated but never deactivated. "
                "This could cause a memory leak!"
            )


# `infer` has a parameter of the same name.
_check_inputs = check_inputs
