"""The search for engines, and the engines that can be used."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._places import executable, tree
from polygraphy_native._reporting import Error


@dataclass(frozen=True)
class Backend:
    """An engine and how it is to run.

    Attributes:
        name: "onnxrt", "openvino" ...: see backends().
        library: The path of the vendor's library; empty: from this Python environment, or
            the library that is found else.
        options: Options as on the command line, without the engine's prefix:
            {"providers": ["cpu"]}. Values are texts, numbers or lists of them.
    """

    name: str
    library: str = ""
    options: Mapping[str, Any] | None = None


# A runner: the name of an engine, or the text of a spec, such as "onnxrt providers=cpu --isolated"
# or "./program.sh"; a Backend; or a spec as a dict: {"backend": "onnxrt", "isolated": True}.
RunnerLike = Union[str, Backend, Mapping[str, Any]]


@dataclass(frozen=True)
class BackendStatus:
    """Whether an engine can be used here.

    Attributes:
        name: "onnxrt". Of a file that is not a plugin: its path.
        summary: One line.
        available: Whether it can be used.
        version, library, devices: Of the vendor's library, when available.
        reason, remedy: Why not, and how to change that, when not.
    """

    name: str
    summary: str
    available: bool
    version: str
    library: str
    devices: str
    reason: str
    remedy: str


def backends() -> list[BackendStatus]:
    """Every engine, available or not, in order of name. Opens their libraries.

    Raises:
        Error: The package is not complete.
    """
    return [BackendStatus(*fields) for fields in _native.backends(_places())]


def _places() -> dict[str, Any]:
    """The search paths of the native code for engines, by the same rules as the command line."""
    try:
        below = os.path.join(tree(), "lib", "polygraphy")
    except FileNotFoundError as error:
        raise Error(str(error)) from None
    environment = os.environ
    plugins = [environment.get("POLYGRAPHY_BACKEND_DIR") or os.path.join(below, "backends")]
    plugins += [path for path in environment.get("POLYGRAPHY_BACKENDS", "").split(":") if path]
    return {
        "plugins": plugins,
        "engines": [environment.get("POLYGRAPHY_ENGINE_DIR") or os.path.join(below, "engines")],
        "packages": [path for path in sys.path if path and os.path.isdir(path)],
        "python": environment.get("POLYGRAPHY_PYTHON") or sys.executable or "python3",
        "environment": dict(environment),
    }


def _program() -> str:
    """The command `polygraphy`: its processes run models apart; empty if it is missing."""
    try:
        return executable()
    except FileNotFoundError:
        return ""


def _runner_to_native(given: RunnerLike) -> str:
    """The text of a spec, or its JSON object."""
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        return json.dumps(dict(given))
    if not isinstance(given, Backend):
        raise TypeError(f"a runner is a text, a Backend or a dict, not {type(given).__name__}")
    options = []
    for key, value in (given.options or {}).items():
        many = isinstance(value, Sequence) and not isinstance(value, str)
        values = [] if value is True else list(value) if many else [value]
        if value is not False and value is not None:
            options.append((key, [str(each) for each in values]))
    return json.dumps({"backend": given.name, "library": given.library, "options": options})


def _runners_to_native(given: RunnerLike | Sequence[RunnerLike]) -> list[str]:
    if isinstance(given, (str, Backend, Mapping)):
        return [_runner_to_native(given)]
    return list(map(_runner_to_native, given))
