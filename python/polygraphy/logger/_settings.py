"""The settings of a logger: which messages it shows, and where they go."""

from __future__ import annotations

import enum
import os
from typing import Any, Callable, Optional, Union


class LoggerIndent:
    """Indents messages while entered."""

    def __init__(self, logger, indent: int):
        self.logger = logger
        self.old_indent = logger.logging_indent
        self.indent = indent

    def __enter__(self) -> "LoggerIndent":
        self.old_indent, self.logger.logging_indent = self.logger.logging_indent, self.indent
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.logger.logging_indent = self.old_indent


class LoggerVerbosity:
    """Replaces the thresholds while entered."""

    def __init__(self, logger, severity: Union[int, dict]):
        self.logger = logger
        self.old_severity = logger.module_severity
        self.module_severity = severity

    def __enter__(self) -> "LoggerVerbosity":
        self.old_severity = self.logger.module_severity
        self.logger.module_severity = self.module_severity
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.logger.module_severity = self.old_severity


class LogMode(enum.IntEnum):
    """How often one and the same message is shown."""

    EACH = 0
    """Every time"""
    ONCE = 1
    """The first time only"""


class SeverityTrie:
    """Thresholds by path below the package's root; the longest matching path decides.

    Args:
        severity_dict: Path (`"backend/onnx"`, `"util/util.py"`) -> threshold; `""` is the default
            and must be there.
    """

    def __init__(self, severity_dict: dict):
        assert "" in severity_dict, "severity_dict must include default severity!"
        self.has_non_default_entries = any(path != "" for path in severity_dict)
        self.trie: dict = {}
        for path, severity in severity_dict.items():
            node = self.trie
            for part in self._parts(path):
                node = node.setdefault(part, {})
            node[""] = severity

    @staticmethod
    def _parts(path: str) -> list:
        return [part for part in path.split(os.path.sep) if part]

    def get(self, path: Optional[str] = None) -> int:
        """The threshold for a path relative to the package's root, or the default.

        Args:
            path: The path; None for the default.
        """
        node = self.trie
        severity = node[""]
        for part in self._parts(path or ""):
            # A threshold for a module applies to the folder that it is split into.
            node = node.get(part, node.get(part + ".py"))
            if node is None:
                break
            severity = node.get("", severity)
        return severity

    def __str__(self) -> str:
        return str(self.trie)


_MODULE_ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir))


class LoggerSettings:
    """The part of a `Logger` that logs nothing. Its constructor sets the attributes."""

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
            lowest = (self.ULTRA_VERBOSE, self.SUPER_VERBOSE, self.EXTRA_VERBOSE)
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
                value = {**value, "": value.get("", self.INFO)}
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
