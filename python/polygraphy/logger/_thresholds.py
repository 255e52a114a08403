"""Thresholds of the logger, by path, and contexts with others."""

from __future__ import annotations

import enum
import os
from typing import Optional, Union


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
