"""The logger of the whole package, `G_LOGGER`, with one threshold for each part of the source tree.

A message belongs to the file that logs it. The file is found by walking the stack, and only when
something depends on it: thresholds for single paths, or line information in the output.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from typing import Any, Callable, Optional, Union

from polygraphy.logger._messages import Message, text_of
from polygraphy.logger._progress import above_progress
from polygraphy.logger._thresholds import LoggerIndent, LoggerVerbosity, LogMode, SeverityTrie

# Their printed forms name the module that scripts know.
for _each in (LoggerIndent, LoggerVerbosity, LogMode, SeverityTrie):
    _each.__module__ = __name__

COLORED_MODULE_PRESENT: Optional[bool] = None
"""Whether `colored` is installed; None until the first use."""

_MODULE_ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir))


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


class Logger:
    """Prints messages at or above a threshold.

    Args:
        severity: The threshold, or a dictionary of thresholds by path (see `module_severity`).
        colors: Whether to use colours, if the module `colored` is there.
        letter: Whether a letter in front of a message shows its severity.
        timestamp: Whether the time of day stands in front of a message.
        line_info: Whether file and line stand in front of a message.
    """

    ULTRA_VERBOSE = -20
    SUPER_VERBOSE = -10
    EXTRA_VERBOSE = 0
    VERBOSE = 10
    INFO = 20
    START = 22
    FINISH = 28
    WARNING = 30
    ERROR = 40
    CRITICAL = 50

    SEVERITY_LETTER_MAPPING = {
        ULTRA_VERBOSE: "[U]",
        SUPER_VERBOSE: "[S]",
        EXTRA_VERBOSE: "[X]",
        VERBOSE: "[V]",
        INFO: "[I]",
        START: "[I]",
        FINISH: "[I]",
        WARNING: "[W]",
        ERROR: "[E]",
        CRITICAL: "[!]",
    }

    SEVERITY_COLOR_MAPPING = {
        ULTRA_VERBOSE: "dark_gray",
        SUPER_VERBOSE: "medium_violet_red",
        EXTRA_VERBOSE: "medium_purple",
        VERBOSE: "light_magenta",
        INFO: None,
        START: "light_cyan",
        FINISH: "light_green",
        WARNING: "light_yellow",
        ERROR: "light_red",
        CRITICAL: "light_red",
    }

    def __init__(
        self,
        severity: Union[int, dict] = INFO,
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

    # Where messages go

    @property
    def log_file(self) -> Optional[str]:
        """Path of a file that gets every message, too. Folders are made, old contents go."""
        return self._log_path

    @log_file.setter
    def log_file(self, value: Optional[str]) -> None:
        if self._log_file is not None:
            self._log_file.close()
            self._log_file = None
        self._log_path = value
        if value is None:
            return
        folder = os.path.dirname(value)
        if folder:
            os.makedirs(folder, exist_ok=True)
        self._log_file = open(value, "w")

    @property
    def use_python_logging_system(self) -> bool:
        """Whether messages go to `logging.getLogger("Polygraphy")` instead of stdout and stderr."""
        return self._use_python_logging_system

    @use_python_logging_system.setter
    def use_python_logging_system(self, value: bool) -> None:
        self._use_python_logging_system = value
        if value:
            import logging

            self.python_logger = logging.getLogger("Polygraphy")
            # `logging` takes positive levels only, and 10 (DEBUG) is VERBOSE already.
            lowest = (Logger.ULTRA_VERBOSE, Logger.SUPER_VERBOSE, Logger.EXTRA_VERBOSE)
            self.severity_level_mapping = dict(zip(lowest, (2, 4, 6)))

    # Thresholds

    @property
    def module_severity(self) -> SeverityTrie:
        """The thresholds. Set to a number, or to a dictionary of path -> number.

        Paths are relative to the package's root, for example `backend/onnx` or
        `backend/onnx/loader.py`; `""` is the default, INFO if it is left out.
        """
        return self._module_severity

    @module_severity.setter
    def module_severity(self, value: Union[int, dict, SeverityTrie]) -> None:
        if not isinstance(value, SeverityTrie):
            if isinstance(value, dict):
                value = {**value, "": value.get("", Logger.INFO)}
            else:
                value = {"": value}
            value = SeverityTrie(value)
        self._module_severity = value
        for callback in self.logger_callbacks:
            callback(value)

    @property
    def severity(self) -> int:
        """The default threshold (the name that Polygraphy 0.49 used)."""
        self._warn_severity()
        return self._module_severity.get()

    @severity.setter
    def severity(self, value: int) -> None:
        self._warn_severity()
        self.module_severity = value

    @staticmethod
    def _warn_severity() -> None:
        import warnings

        warnings.warn("Use `module_severity` instead of `severity`", DeprecationWarning, 3)

    def register_callback(self, callback: Callable[[SeverityTrie], Any]) -> None:
        """Calls `callback` with the thresholds now, and whenever they change.

        Args:
            callback: A function of the thresholds, a `SeverityTrie`.
        """
        callback(self._module_severity)
        self.logger_callbacks.append(callback)

    def indent(self, level: int = 1) -> LoggerIndent:
        """A context manager that indents messages by `level` more levels.

        Args:
            level: How many levels.
        """
        return LoggerIndent(self, level + self.logging_indent)

    def verbosity(self, severity: Union[int, dict] = CRITICAL) -> LoggerVerbosity:
        """A context manager with other thresholds; by default only critical messages pass.

        Args:
            severity: The least severity that is shown, or one for each path.
        """
        return LoggerVerbosity(self, severity)

    def module_path(self, path: str) -> str:
        """A path as `module_severity` knows it: relative to the package's root.

        Args:
            path: The path of a Python file.
        """
        path = os.path.realpath(path)
        return path[len(os.path.commonpath([_MODULE_ROOT, path])) :].lstrip(os.path.sep)

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

        message = text_of(message, error_ok)

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

    def backtrace(self, depth: int = 0, limit: Optional[int] = None, severity: int = ERROR) -> None:
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

    def ultra_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.ULTRA_VERBOSE, mode=mode, stack_depth=3, error_ok=True)

    def super_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.SUPER_VERBOSE, mode=mode, stack_depth=3, error_ok=True)

    def extra_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.EXTRA_VERBOSE, mode=mode, stack_depth=3, error_ok=True)

    def verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.VERBOSE, mode=mode, stack_depth=3, error_ok=True)

    def info(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.INFO, mode=mode, stack_depth=3)

    def start(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.START, mode=mode, stack_depth=3)

    def finish(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.FINISH, mode=mode, stack_depth=3)

    def warning(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.WARNING, mode=mode, stack_depth=3)

    def error(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        """Logs a message of this severity.

        Args:
            message: See `log`.
            mode: Whether to drop a message that was shown before.
        """
        self.log(message, Logger.ERROR, mode=mode, stack_depth=3)

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

    def module_info(self, module, name: Optional[str] = None, severity: int = VERBOSE) -> None:
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
