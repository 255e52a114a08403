"""Polygraphy and ONNX-GraphSurgeon on a native core.

    import polygraphy_native as pn

    model = pn.load("model.onnx")
    model.fold()
    report = pn.compare(model, backends=["onnxrt", "openvino"])

The packages `polygraphy` and `onnx_graphsurgeon` lie inside of this one. They are on Python's path
only after `install()` in a program, with `python -m polygraphy_native script.py`, the environment
variable POLYGRAPHY_NATIVE=1, or PYTHONPATH=$(polygraphy-native --python-path).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polygraphy_native._places import executable, python_path, tree
from polygraphy_native._standing_in import install

if TYPE_CHECKING:
    from polygraphy_native._autotuning import AutotuneReport as AutotuneReport
    from polygraphy_native._autotuning import autotune as autotune
    from polygraphy_native._benchmarking import BenchmarkReport as BenchmarkReport
    from polygraphy_native._benchmarking import benchmark as benchmark
    from polygraphy_native._comparing import CompareReport as CompareReport
    from polygraphy_native._comparing import InvalidOutput as InvalidOutput
    from polygraphy_native._comparing import OutputComparison as OutputComparison
    from polygraphy_native._comparing import compare as compare
    from polygraphy_native._compiled import Capability as Capability
    from polygraphy_native._compiled import EngineDescription as EngineDescription
    from polygraphy_native._compiled import EngineLayer as EngineLayer
    from polygraphy_native._compiled import EngineRange as EngineRange
    from polygraphy_native._compiled import LayerTensor as LayerTensor
    from polygraphy_native._compiled import NetworkDescription as NetworkDescription
    from polygraphy_native._compiled import NetworkLayer as NetworkLayer
    from polygraphy_native._compiled import build_engine as build_engine
    from polygraphy_native._compiled import describe_engine as describe_engine
    from polygraphy_native._compiled import describe_network as describe_network
    from polygraphy_native._compiled import find_capability as find_capability
    from polygraphy_native._consistency import ConsistencyReport as ConsistencyReport
    from polygraphy_native._consistency import check_consistency as check_consistency
    from polygraphy_native._diff import Change as Change
    from polygraphy_native._diff import Diff as Diff
    from polygraphy_native._diff import Difference as Difference
    from polygraphy_native._diff import diff as diff
    from polygraphy_native._engines import Backend as Backend
    from polygraphy_native._engines import BackendStatus as BackendStatus
    from polygraphy_native._engines import backends as backends
    from polygraphy_native._lint import Finding as Finding
    from polygraphy_native._lint import Findings as Findings
    from polygraphy_native._lint import lint as lint
    from polygraphy_native._locating import LocateReport as LocateReport
    from polygraphy_native._locating import locate as locate
    from polygraphy_native._model import Model as Model
    from polygraphy_native._model import load as load
    from polygraphy_native._model_parts import InitializerInfo as InitializerInfo
    from polygraphy_native._model_parts import NodeInfo as NodeInfo
    from polygraphy_native._model_parts import RolledBack as RolledBack
    from polygraphy_native._model_parts import TensorInfo as TensorInfo
    from polygraphy_native._model_parts import Verification as Verification
    from polygraphy_native._plugins import PluginConfig as PluginConfig
    from polygraphy_native._plugins import PluginInstance as PluginInstance
    from polygraphy_native._plugins import PluginMatches as PluginMatches
    from polygraphy_native._plugins import list_plugins as list_plugins
    from polygraphy_native._plugins import match_plugins as match_plugins
    from polygraphy_native._plugins import replace_plugins as replace_plugins
    from polygraphy_native._precision import PrecisionReport as PrecisionReport
    from polygraphy_native._precision import find_precision as find_precision
    from polygraphy_native._records import AutotuneAttempt as AutotuneAttempt
    from polygraphy_native._records import AutotuneDuel as AutotuneDuel
    from polygraphy_native._records import BenchmarkCase as BenchmarkCase
    from polygraphy_native._records import BenchmarkedRunner as BenchmarkedRunner
    from polygraphy_native._records import BenchmarkFigures as BenchmarkFigures
    from polygraphy_native._records import ChannelStatistics as ChannelStatistics
    from polygraphy_native._records import ConsistencyRow as ConsistencyRow
    from polygraphy_native._records import JudgedUnit as JudgedUnit
    from polygraphy_native._records import Latencies as Latencies
    from polygraphy_native._records import LayerSensitivity as LayerSensitivity
    from polygraphy_native._records import LocateFusion as LocateFusion
    from polygraphy_native._records import LocateProof as LocateProof
    from polygraphy_native._records import LocateRemedy as LocateRemedy
    from polygraphy_native._records import ModelPart as ModelPart
    from polygraphy_native._records import NodeError as NodeError
    from polygraphy_native._records import NodeFinding as NodeFinding
    from polygraphy_native._records import NodeTime as NodeTime
    from polygraphy_native._records import OutputDifference as OutputDifference
    from polygraphy_native._records import PreciseNode as PreciseNode
    from polygraphy_native._records import ReducedModel as ReducedModel
    from polygraphy_native._records import RefusedNode as RefusedNode
    from polygraphy_native._records import TextFigures as TextFigures
    from polygraphy_native._records import TextPair as TextPair
    from polygraphy_native._records import TextRunner as TextRunner
    from polygraphy_native._records import TokenCounts as TokenCounts
    from polygraphy_native._records import TokenEffect as TokenEffect
    from polygraphy_native._records import TokenFlip as TokenFlip
    from polygraphy_native._records import Verdict as Verdict
    from polygraphy_native._records import ZooEngine as ZooEngine
    from polygraphy_native._records import ZooModel as ZooModel
    from polygraphy_native._reducing import reduce as reduce
    from polygraphy_native._reporting import Error as Error
    from polygraphy_native._running import RunResult as RunResult
    from polygraphy_native._running import run as run
    from polygraphy_native._scripting import run_script as run_script
    from polygraphy_native._sensitivity import SensitivityReport as SensitivityReport
    from polygraphy_native._sensitivity import sensitivity as sensitivity
    from polygraphy_native._zoo import ZooOutput as ZooOutput
    from polygraphy_native._zoo import ZooReport as ZooReport
    from polygraphy_native._zoo import zoo as zoo

__version__ = "0.1.0"

# Names that are imported on first access, so that importing the package costs nothing.
_LAZY = {
    "_autotuning": ("AutotuneReport", "autotune"),
    "_benchmarking": ("BenchmarkReport", "benchmark"),
    "_comparing": ("CompareReport", "InvalidOutput", "OutputComparison", "compare"),
    "_compiled": (
        "Capability", "EngineDescription", "EngineLayer", "EngineRange", "LayerTensor",
        "NetworkDescription", "NetworkLayer", "build_engine", "describe_engine",
        "describe_network", "find_capability",
    ),
    "_consistency": ("ConsistencyReport", "check_consistency"),
    "_diff": ("Change", "Diff", "Difference", "diff"),
    "_engines": ("Backend", "BackendStatus", "backends"),
    "_lint": ("Finding", "Findings", "lint"),
    "_locating": ("LocateReport", "locate"),
    "_model": ("Model", "load"),
    "_model_parts": ("InitializerInfo", "NodeInfo", "RolledBack", "TensorInfo", "Verification"),
    "_plugins": (
        "PluginConfig", "PluginInstance", "PluginMatches", "list_plugins", "match_plugins",
        "replace_plugins",
    ),
    "_precision": ("PrecisionReport", "find_precision"),
    "_records": (
        "AutotuneAttempt", "AutotuneDuel", "BenchmarkCase", "BenchmarkedRunner", "BenchmarkFigures",
        "ChannelStatistics", "ConsistencyRow", "JudgedUnit", "Latencies", "LayerSensitivity",
        "LocateFusion", "LocateProof", "LocateRemedy", "ModelPart", "NodeError", "NodeFinding",
        "NodeTime", "OutputDifference", "PreciseNode", "ReducedModel", "RefusedNode", "TextFigures",
        "TextPair", "TextRunner", "TokenCounts", "TokenEffect", "TokenFlip", "Verdict", "ZooEngine",
        "ZooModel",
    ),
    "_reducing": ("reduce",),
    "_reporting": ("Error",),
    "_running": ("RunResult", "run"),
    "_scripting": ("run_script",),
    "_sensitivity": ("SensitivityReport", "sensitivity"),
    "_zoo": ("ZooOutput", "ZooReport", "zoo"),
}  # fmt: skip
_MODULES = {name: module for module, names in _LAZY.items() for name in names}

__all__ = ["__version__", "executable", "install", "python_path", "tree", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
