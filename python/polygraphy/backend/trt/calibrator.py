"""Calibration data for TensorRT, which finds out the ranges of values for INT8 with it."""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any, Callable, List, Optional

from polygraphy import mod, util
from polygraphy.backend.base import util as base_util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.common._adopting import adopting
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.logger._progress import Progress, above_progress, length


def _has_contents(cache) -> bool:
    """Whether a path or file-like object has content."""
    try:
        return util.get_file_size(cache) > 0
    except (OSError, AttributeError):
        return False


class _Calibration:
    """The methods of calibrators of all base classes of TensorRT.

    `_start` takes the function that creates such objects, and its arguments.
    """

    def _start(self, make_func: Callable, data_loader, arguments: dict) -> None:
        self._arguments = arguments
        self.data_loader = data_loader
        self._cache = arguments["cache"]
        self.device_buffers = OrderedDict()
        self.input_metadata = None
        self._progress: Optional[Progress] = None
        self.reset()
        G_LOGGER.verbose(f"Created calibrator [cache={self._cache}]")
        self.batch_size = util.default(arguments["batch_size"], 1)
        self.is_polygraphy_calibrator = True
        self.make_func = make_func

    def set_input_metadata(self, input_metadata) -> None:
        """Sets the inputs that the network needs. From then on, data is checked against them.

        Args:
            input_metadata: TensorMetadata of the inputs, or None. Types other than those of
                indices, booleans and float32 become float32, the type of calibration.
        """
        self.input_metadata = copy.deepcopy(input_metadata)
        kept = [DataType.FLOAT32, DataType.INT32, DataType.INT64, DataType.BOOL]
        for name, meta in (self.input_metadata or {}).items():
            if meta.dtype not in kept:
                G_LOGGER.warning(
                    "TensorRT requires non-index calibration inputs to be provided in float32. "
                    f"Input: {name} has datatype: {meta.dtype}, so will override to float32 in "
                    "the calibrator's metadata. If you are using a custom data loader with "
                    "the calibrator, please ensure that you return a float32 tensor for this "
                    "input."
                )
                meta.dtype = DataType.FLOAT32
        if hasattr(self.data_loader, "input_metadata"):
            self.data_loader.input_metadata = self.input_metadata

    def reset(self) -> None:
        """Starts over: with the first data, and with the content that the cache file has then."""
        self.data_loader_iter = iter(self.data_loader)
        self.num_batches = 0
        self._end_progress()
        self.cache_contents = None

    def _end_progress(self) -> None:
        if self._progress is not None:
            self._progress.end()
        self._progress = None

    def get_batch_size(self) -> int:
        return self.batch_size

    def _get_batch_impl(self, names: List[str]) -> Optional[List[int]]:
        if self._progress is None:
            self._progress = Progress("calibration batch", length(self.data_loader))
        try:
            with above_progress():
                batch = next(self.data_loader_iter)
        except StopIteration:
            if self.num_batches == 0:
                G_LOGGER.critical(
                    "Calibrator data loader provided no data.\n"
                    "Possible reasons for this include:\n"
                    "(1) data loader has no data to provide\n"
                    "(2) data loader was a generator, and the calibrator is being used "
                    "multiple times (generators cannot be rewound)"
                )
            return None
        self.num_batches += 1
        self._progress.step()

        if self.input_metadata is not None:
            base_util.check_inputs(batch, self.input_metadata)
        util.check_sequence_contains(
            batch.keys(), names, name="calibration data", items_name="inputs", check_extra=False
        )
        return [self._address(name, batch[name]) for name in names]

    def _address(self, name: str, array) -> int:
        if isinstance(array, int):
            return array
        return trt_util._get_array_on_gpu(array, name, self.device_buffers)

    def get_batch(self, names: List[str]) -> Optional[List[int]]:
        """The next data, called by TensorRT.

        Args:
            names: The inputs.

        Returns:
            Addresses on the GPU, in the order of the names; None at the end of the data or if
            something is wrong with it, which has been logged then.
        """
        try:
            addresses = self._get_batch_impl(names)
        except PolygraphyException:
            addresses = None
        if addresses is not None:
            return addresses
        self.free()
        return None

    def read_calibration_cache(self) -> Optional[bytes]:
        """The result of an earlier calibration, or None. Called by TensorRT."""
        cache = self._arguments["cache"]
        if self.cache_contents is None and self._cache is not None and _has_contents(cache):
            try:
                self.cache_contents = util.load_file(cache, description="calibration cache")
            except Exception as err:
                G_LOGGER.error(
                    f"Could not read from calibration cache: {cache}\nNote: Error was: {err}"
                )
        return self.cache_contents

    def write_calibration_cache(self, cache) -> None:
        """Keeps the result of the calibration. Called by TensorRT.

        Args:
            cache: The result, as anything that lends its bytes.
        """
        self.cache_contents = bytes(cache)
        if self._cache is None:
            return
        try:
            util.save_file(self.cache_contents, self._cache, description="calibration cache")
        except Exception as err:
            G_LOGGER.error(
                f"Could not write to calibration cache: {self._cache}.\nNote: Error was: {err}"
            )

    def free(self) -> None:
        """Frees the memory on the GPU."""
        self._end_progress()
        for buffer in self.device_buffers.values():
            buffer.free()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.free()

    def __repr__(self) -> str:
        return util.make_repr("Calibrator", self.data_loader, **self._arguments)[0]


class _OfGenericCalibrators:
    """The methods of `trt.IInt8Calibrator` only."""

    def get_algorithm(self):
        return util.default(self._arguments["algo"], trt.CalibrationAlgoType.ENTROPY_CALIBRATION_2)


class _OfLegacyCalibrators:
    """The methods of `trt.IInt8LegacyCalibrator` only."""

    def get_quantile(self) -> float:
        return util.default(self._arguments["quantile"], 0.5)

    def get_regression_cutoff(self) -> float:
        return util.default(self._arguments["regression_cutoff"], 0.5)

    def read_histogram_cache(self, length: int) -> None:
        pass

    def write_histogram_cache(self, ptr: int, length: int) -> None:
        pass


# A class of TensorRT -> the methods of classes derived from it.
_OF_BASE_CLASSES = {
    "IInt8Calibrator": _OfGenericCalibrators,
    "IInt8LegacyCalibrator": _OfLegacyCalibrators,
}


@mod.export()
def Calibrator(
    data_loader,
    cache: Any = None,
    BaseClass: Optional[type] = None,
    batch_size: Optional[int] = None,
    quantile: Optional[float] = None,
    regression_cutoff: Optional[float] = None,
    algo: Any = None,
):
    """An object that gives TensorRT calibration data and keeps the result.

    Host data is copied to the GPU, into a buffer per input, which `free()`, the end of a `with`
    statement, or the end of the data frees.

    Args:
        data_loader: An iterable of dictionaries from names of inputs to NumPy arrays, torch
            tensors, DeviceViews or addresses on the GPU (integers). `reset()` starts a new
            iteration, which generators do not support. If it has an attribute `input_metadata`,
            the calibrator sets that to the inputs of the network.
        cache: A path or file-like object for the result. If it has content, TensorRT
            uses that instead of data; otherwise it is written. Without it, the result is kept in
            memory until `reset()`.
        BaseClass: The class of TensorRT to derive from, `trt.IInt8EntropyCalibrator2` if left out.
        batch_size: Deprecated: the batch size, 1 if left out.
        quantile: For `trt.IInt8LegacyCalibrator`: the quantile, 0.5 if left out.
        regression_cutoff: For `trt.IInt8LegacyCalibrator`: the cutoff, 0.5 if left out.
        algo: For `trt.IInt8Calibrator`: the algorithm, `ENTROPY_CALIBRATION_2` if left out.

    Raises:
        PolygraphyException: If this TensorRT does not calibrate.
    """
    BaseClass = (
        BaseClass
        or util.try_getattr(trt, "IInt8EntropyCalibrator2")
        or trt_util.fail_unavailable("INT8 calibration")
    )

    arguments = {
        "cache": cache,
        "BaseClass": BaseClass,
        "batch_size": batch_size,
        "quantile": quantile,
        "regression_cutoff": regression_cutoff,
        "algo": algo,
    }
    more = [
        added
        for name, added in _OF_BASE_CLASSES.items()
        if BaseClass is util.try_getattr(trt, name)
    ]

    @adopting(_Calibration, *more)
    class CalibratorClass(BaseClass):
        def __init__(self):
            # Objects of the extension cannot be used before this.
            BaseClass.__init__(self)
            self._start(Calibrator, data_loader, arguments)

    return CalibratorClass()
