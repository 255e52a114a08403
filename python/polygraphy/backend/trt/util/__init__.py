"""TensorRT's logger, and parts of networks, configurations and engines."""

from __future__ import annotations

import os
import signal

from polygraphy import mod
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._config import (
    check_profile,
    get_input_metadata_from_network,
    str_from_config,
    try_setup_polygraphy_calibrator,
)
from polygraphy.backend.trt.util._docstrings import inherit_and_extend_docstring
from polygraphy.backend.trt.util._engine import (
    TensorInfo,
    _get_array_on_gpu,
    convert_linear_to_vectorized_format,
    convert_vectorized_to_linear_format,
    get_chw_shape_from_hwc,
    get_hwc_shape_from_chw,
    get_metadata_from_engine,
    get_tensor_format,
    str_from_engine,
)
from polygraphy.backend.trt.util._messages import (
    _warn_once,
    check_onnx_parser_errors,
    fail_unavailable,
)
from polygraphy.backend.trt.util._network import (
    get_all_io_tensors,
    get_all_tensors,
    get_layer_attribute_names,
    get_layer_class_mapping,
    get_layer_input_names_meta,
    get_layer_output_names_meta,
    get_network_input_names_meta,
    get_network_output_names_meta,
    mark_by_layer_type,
    mark_layerwise,
    mark_outputs,
    str_from_layer,
    str_from_network,
    str_from_tensor,
    unmark_outputs,
)
from polygraphy.logger import G_LOGGER

TRT_LOGGER = None


@mod.export()
def get_trt_logger():
    """The one `trt.ILogger` of this process. It passes TensorRT's messages to `G_LOGGER`.

    Errors are errors, each warning is shown once, and information is verbose.
    """
    global TRT_LOGGER
    if TRT_LOGGER is None:
        TRT_LOGGER = _make_trt_logger()
    return TRT_LOGGER


def _make_trt_logger():
    class CustomTrtLogger(trt.ILogger):
        def __init__(self):
            # Objects of the extension cannot be used before this.
            trt.ILogger.__init__(self)

        def log(self, severity, msg):
            # TensorRT calls this: no caller could catch an exception.
            try:
                {
                    trt.Logger.INTERNAL_ERROR: G_LOGGER.error,
                    trt.Logger.ERROR: G_LOGGER.error,
                    trt.Logger.WARNING: _warn_once,
                    trt.Logger.INFO: G_LOGGER.verbose,
                    trt.Logger.VERBOSE: G_LOGGER.extra_verbose,
                }.get(severity, G_LOGGER.super_verbose)(msg)
            except KeyboardInterrupt:
                os.kill(os.getpid(), signal.SIGTERM)
            except Exception:
                pass

    return CustomTrtLogger()


mod.export_parts()
