"""Warnings and errors about TensorRT."""

from __future__ import annotations

from polygraphy.backend.trt._module import trt
from polygraphy.logger import G_LOGGER, LogMode


def _warn_once(message: str) -> None:
    G_LOGGER.warning(message, mode=LogMode.ONCE)


def fail_unavailable(what: str) -> None:
    """Raises PolygraphyException: the installed TensorRT lacks something.

    Args:
        what: The missing thing; the first words of the message.
    """
    G_LOGGER.backtrace()
    G_LOGGER.critical(f"{what} is not available on TensorRT version {trt.__version__}.")


def check_onnx_parser_errors(parser, success: bool) -> None:
    """Reports the errors of a parser of ONNX models.

    Args:
        parser: The parser, after it parsed.
        success: The result of parsing.

    Raises:
        PolygraphyException: If there are errors or parsing failed.
    """
    errors = [parser.get_error(index) for index in range(parser.num_errors)]
    for error in errors:
        G_LOGGER.error(error)
    if errors:
        G_LOGGER.critical("Could not parse ONNX correctly")
    if not success:
        G_LOGGER.critical(
            "Failed to parse ONNX model. Does the model file exist and contain a valid ONNX model?"
        )
