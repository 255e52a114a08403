"""A logger with severities, which prints to the standard output."""

from __future__ import annotations

import enum
import os
import sys
import time
from typing import Any, Callable, NoReturn

from onnx_graphsurgeon.util.exception import OnnxGraphSurgeonException

COLORED_IS_MISSING = (
    "colored module is not installed, will not use colors when logging. To enable colors, please "
    "install the colored module: python3 -m pip install colored"
)


class LogMode(enum.IntEnum):
    """How often one message is shown."""

    EACH = 0
    ONCE = 1


class LoggerIndent:
    """A context in which every line starts with `indent` tabs."""

    def __init__(self, logger: Logger, indent: int):
        self.logger = logger
        self.old_indent = logger.logging_indent
        self.indent = indent

    def __enter__(self) -> LoggerIndent:
        self.logger.logging_indent = self.indent
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.logger.logging_indent = self.old_indent


class LoggerSuppress:
    """A context in which the logger has another threshold."""

    def __init__(self, logger: Logger, severity: int):
        self.logger = logger
        self.old_severity = logger.severity
        self.severity = severity

    def __enter__(self) -> LoggerSuppress:
        self.logger.severity = self.severity
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.logger.severity = self.old_severity


class Logger:
    """Prints messages of at least one severity.

    A message may be a function without arguments, which is called only for messages that are shown.
    """

    ULTRA_VERBOSE = -10
    VERBOSE = 0
    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40
    CRITICAL = 50

    SEVERITY_LETTER_MAPPING = {
        ULTRA_VERBOSE: "[UV]",
        VERBOSE: "[V]",
        DEBUG: "[D]",
        INFO: "[I]",
        WARNING: "[W]",
        ERROR: "[E]",
        CRITICAL: "[C]",
    }

    SEVERITY_COLOR_MAPPING = {
        ULTRA_VERBOSE: "cyan",
        VERBOSE: "dark_gray",
        DEBUG: "light_gray",
        INFO: "light_green",
        WARNING: "light_yellow",
        ERROR: "red_1",
        CRITICAL: "red_1",
    }

    def __init__(
        self,
        severity: int = INFO,
        colors: bool = True,
        letter: bool = True,
        timestamp: bool = False,
        line_info: bool = False,
    ):
        """
        Args:
            severity: Messages below it are not shown.
            colors: Whether lines are colored, if the package `colored` is installed.
            letter: Whether lines start with the letter of their severity.
            timestamp: Whether lines have the time.
            line_info: Whether lines have the file and line that logs.
        """
        self._severity = severity
        self.logging_indent = 0
        package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
        self.root_dir = os.path.dirname(package)
        self.once_logged: set[Any] = set()
        self.colors = colors
        self.letter = letter
        self.timestamp = timestamp
        self.line_info = line_info
        self.logger_callbacks: list[Callable[[int], Any]] = []

    @property
    def severity(self) -> int:
        """The threshold. Setting it calls the callbacks."""
        return self._severity

    @severity.setter
    def severity(self, value: int) -> None:
        self._severity = value
        for callback in self.logger_callbacks:
            callback(value)

    def register_callback(self, callback: Callable[[int], Any]) -> None:
        """Calls `callback` with the threshold: now, and whenever it is set.

        Args:
            callback: A function of the threshold.
        """
        callback(self._severity)
        self.logger_callbacks.append(callback)

    def indent(self, level: int = 1) -> LoggerIndent:
        """A context that indents by `level` more."""
        return LoggerIndent(self, level + self.logging_indent)

    def suppress(self, severity: int = CRITICAL) -> LoggerSuppress:
        """A context that shows messages of at least `severity` only.

        Args:
            severity: The least severity that is still shown.
        """
        return LoggerSuppress(self, severity)

    def log(
        self, message: Any, severity: int, mode: LogMode = LogMode.EACH, stack_depth: int = 2
    ) -> None:
        """Shows a message.

        Args:
            message: Anything that str() takes, or a function that returns it.
            severity: One of the constants of the class.
            mode: With ONCE, a message equal to an earlier one is not shown again, also when the
                earlier one was below the threshold.
            stack_depth: 2 for the caller of this method, one more for each caller further up.
        """
        if mode == LogMode.ONCE:
            if message in self.once_logged:
                return
            self.once_logged.add(message)
        if self._severity > severity:
            return
        text = str(message() if callable(message) else message)
        tabs = "\t" * self.logging_indent
        text = self._prefix(severity, stack_depth) + tabs + text.replace("\n", "\n" + tabs)
        print(self._colored(text, severity))

    def _prefix(self, severity: int, stack_depth: int) -> str:
        parts = []
        if self.letter:
            parts.append(self.SEVERITY_LETTER_MAPPING[severity])
        if self.timestamp:
            parts.append(f"({time.strftime('%X')})")
        if self.line_info:
            parts.append(f"[{self._line_of_caller(stack_depth)}]")
        return "".join(part + " " for part in parts)

    def _line_of_caller(self, stack_depth: int) -> str:
        frame: Any = sys._getframe(2)
        for _ in range(stack_depth - 1):
            frame = frame.f_back or frame
        path = os.path.realpath(frame.f_code.co_filename)
        inside = path.startswith(self.root_dir + os.sep)
        name = os.path.relpath(path, self.root_dir) if inside else os.path.basename(path)
        return f"{name}:{frame.f_lineno}"

    def _colored(self, text: str, severity: int) -> str:
        if not self.colors:
            return text
        try:
            import colored
        except ImportError:
            self.colors = False
            self.warning(COLORED_IS_MISSING)
            return text
        return colored.stylize(text, [colored.fg(self.SEVERITY_COLOR_MAPPING[severity])])

    def ultra_verbose(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.ULTRA_VERBOSE, mode=mode, stack_depth=3)

    def verbose(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.VERBOSE, mode=mode, stack_depth=3)

    def debug(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.DEBUG, mode=mode, stack_depth=3)

    def info(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.INFO, mode=mode, stack_depth=3)

    def warning(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.WARNING, mode=mode, stack_depth=3)

    def error(self, message: Any, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, Logger.ERROR, mode=mode, stack_depth=3)

    def critical(self, message: Any) -> NoReturn:
        """Shows the message and raises it as an OnnxGraphSurgeonException without a cause."""
        self.log(message, Logger.CRITICAL, stack_depth=3)
        raise OnnxGraphSurgeonException(message() if callable(message) else message) from None


G_LOGGER = Logger()
"""The logger of everything in this package."""
