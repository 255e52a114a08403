"""The logger of the whole package, `G_LOGGER`, with one threshold for each part of the source tree.

A message belongs to the file that logs it. The file is found by walking the stack, and only when
something depends on it: thresholds for single paths, or line information in the output.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from typing import Callable, Optional, Union

from polygraphy.logger._progress import above_progress
from polygraphy.logger._settings import (
    LoggerIndent,
    LoggerSettings,
    LoggerVerbosity,
    LogMode,
    SeverityTrie,
)

# Their printed forms name the module that scripts know.
for _each in (LoggerIndent, LoggerVerbosity, LogMode, SeverityTrie):
    _each.__module__ = __name__

Message = Union[str, Callable[[], str]]

COLORED_MODULE_PRESENT: Optional[bool] = None
"""Whether `colored` is installed; None until the first use."""


def has_colors() -> bool:
    """Whether the module `colored` is installed. Says so once if it is not."""
    global COLORED_MODULE_PRESENT
    if COLORED_MODULE_PRESENT is None:
        try:
            import colored  # noqa: F401

            COLORED_MODULE_PRESENT = True
        except ImportError:
            COLORED_MODULE_PRESENT = False
            print(
                "[W] 'colored' module is not installed, will not use colors when logging. "
                "To enable colors, please install the 'colored' module: "
                "python3 -m pip install colored"
            )
    return COLORED_MODULE_PRESENT


def _text_of(message: Message, error_ok: bool) -> str:
    """The text of a message. If errors are allowed, a function that fails yields its error."""
    try:
        made = message() if callable(message) else message
    except Exception as err:
        if not error_ok:
            raise
        return f"<Error while logging this message: {str(err)}>"
    return str(made)


def _logging(name: str) -> Callable[..., None]:
    """The method that logs messages of the severity of its name."""
    severity = getattr(LoggerSettings, name.upper())
    # Nothing fails for details that are hidden in most runs.
    error_ok = severity < LoggerSettings.INFO

    def method(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, severity, mode=mode, stack_depth=3, error_ok=error_ok)

    method.__name__, method.__qualname__ = name, f"Logger.{name}"
    return method


class Logger(LoggerSettings):
    """Prints messages at or above a threshold.

    Args:
        severity: The threshold, or a dictionary of thresholds by path (see `module_severity`).
        colors: Whether to use colours, if the module `colored` is there.
        letter: Whether a letter in front of a message shows its severity.
        timestamp: Whether the time of day stands in front of a message.
        line_info: Whether file and line stand in front of a message.
    """

    def __init__(
        self,
        severity: Union[int, dict] = LoggerSettings.INFO,
        colors: bool = True,
        letter: bool = True,
        timestamp: bool = False,
        line_info: bool = False,
    ):
        self.logging_indent = 0
        self.once_logged: set = set()
        self.colors = colors
        self.letter = letter
        self.timestamp = timestamp
        self.line_info = line_info
        self.logger_callbacks: list = []
        self._log_path: Optional[str] = None
        self._log_file = None
        self._use_python_logging_system = False
        self.module_severity = severity
        self.exit = self.critical

    # Messages

    def log(
        self,
        message: Message,
        severity: int,
        mode: LogMode = LogMode.EACH,
        stack_depth: int = 2,
        error_ok: bool = False,
    ) -> None:
        """Logs one message.

        Args:
            message: The text, or a callable without arguments that makes it. The callable is
                called only if the message is shown.
            severity: One of the severities of this class.
            mode: Whether to drop a message that was shown before.
            stack_depth: How many frames lie between this and the code that logs, counted from 1
                for this function itself.
            error_ok: Whether errors in a callable become the message instead of being raised.
        """
        path, line = None, None
        if self.line_info or self._module_severity.has_non_default_entries:
            frame = sys._getframe(stack_depth - 1)
            path, line = self.module_path(frame.f_code.co_filename), frame.f_lineno
        if severity < self._module_severity.get(path):
            return

        message = _text_of(message, error_ok)

        if mode == LogMode.ONCE:
            key = hash(message)
            if key in self.once_logged:
                return
            self.once_logged.add(key)

        if severity == Logger.WARNING:
            from polygraphy import config

            # For tests of Polygraphy itself, which count warnings.
            if config.INTERNAL_CORRECTNESS_CHECKS:
                import warnings

                warnings.warn(message)

        self._emit(self._format(message, severity, path, line), severity)

    def _format(self, message: str, severity: int, path: Optional[str], line) -> str:
        prefix = ""
        if self.letter:
            prefix += self.SEVERITY_LETTER_MAPPING[severity] + " "
        if self.timestamp:
            prefix += f"({time.strftime('%X')}) "
        if self.line_info:
            prefix += f"[{path}:{line}] "
        indent = " " * 4 * self.logging_indent
        # Further lines stand under the first one, whatever is in front of it.
        lines = message.splitlines() or [""]
        return prefix + indent + ("\n" + " " * len(prefix) + indent).join(lines)

    def _emit(self, message: str, severity: int) -> None:
        if self._log_file is not None:
            self._log_file.write(message + "\n")
            self._log_file.flush()

        if self._use_python_logging_system:
            self.python_logger.log(self.severity_level_mapping.get(severity, severity), message)
            return

        color = self.SEVERITY_COLOR_MAPPING[severity]
        if self.colors and has_colors() and color is not None:
            import colored

            message = colored.stylize(message, colored.fore(color))
        with above_progress():
            print(message, file=sys.stdout if severity < Logger.CRITICAL else sys.stderr)

    def backtrace(
        self, depth: int = 0, limit: Optional[int] = None, severity: int = LoggerSettings.ERROR
    ) -> None:
        """Logs the stack, without its `depth` innermost callers.

        Args:
            depth: How many callers to leave out.
            limit: The most entries. If left out, the more the lower the threshold of the caller's
                module is: two for INFO, none from WARNING on.
            severity: The severity of the message.
        """
        import traceback

        frame = sys._getframe(1)
        if limit is None:
            path = self.module_path(frame.f_code.co_filename)
            limit = max((Logger.WARNING - self._module_severity.get(path)) // 5, 0)
        for _ in range(depth + 1):
            frame = frame.f_back or frame
        stack = traceback.format_stack(f=frame, limit=limit)
        self.log(" ".join(stack), severity=severity, stack_depth=3)

    ultra_verbose = _logging("ultra_verbose")
    super_verbose = _logging("super_verbose")
    extra_verbose = _logging("extra_verbose")
    verbose = _logging("verbose")
    info = _logging("info")
    start = _logging("start")
    finish = _logging("finish")
    warning = _logging("warning")
    error = _logging("error")

    def critical(self, message: Message, ExceptionType: Optional[type] = None) -> None:
        """Logs a message and raises it.

        Args:
            message: The text, or a callable that makes it.
            ExceptionType: The class to raise, `PolygraphyException` if left out.
        """
        from polygraphy.exception import PolygraphyException

        message = message() if callable(message) else message
        self.log(message, Logger.CRITICAL, stack_depth=3)
        raise (ExceptionType or PolygraphyException)(message) from None

    def internal_error(self, message: Message) -> None:
        """Logs a message and raises `PolygraphyInternalException`, if correctness checks are on."""
        from polygraphy import config
        from polygraphy.exception import PolygraphyInternalException

        if not config.INTERNAL_CORRECTNESS_CHECKS:
            return
        message = message() if callable(message) else message
        self.log(message, Logger.CRITICAL, stack_depth=3)
        raise PolygraphyInternalException(message)

    def module_info(
        self, module, name: Optional[str] = None, severity: int = LoggerSettings.VERBOSE
    ) -> None:
        """Logs the version and the path of a module, once."""

        def text() -> str:
            ret = name or f"Loaded Module: {module.__name__}"
            if hasattr(module, "__version__"):
                ret += f" | Version: {module.__version__}"
            if hasattr(module, "__path__"):
                ret += f" | Path: {list(map(os.path.realpath, module.__path__))}"
            return ret

        self.log(text, severity=severity, stack_depth=3, mode=LogMode.ONCE)

    def log_exception(self, func: Callable) -> Callable:
        """A decorator that logs what a function raises, unless Polygraphy raised (and logged) it.

        For functions that are called through code that swallows exceptions.
        """

        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            from polygraphy.exception import PolygraphyException

            try:
                return func(*args, **kwargs)
            except Exception as err:
                if not isinstance(err, PolygraphyException):
                    G_LOGGER.error(err)
                raise

        return wrapped


G_LOGGER = Logger()
"""Logger: The logger that everything in the package uses"""
