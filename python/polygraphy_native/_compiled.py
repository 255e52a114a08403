"""Libraries that compile models: engines, networks, and the nodes that they refuse."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._arrays import _to_numpy
from polygraphy_native._documents import _made
from polygraphy_native._engines import RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._records import CapabilityFigures
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

_DETAILS = ("layers", "attrs", "weights")


@dataclass(frozen=True, repr=False, kw_only=True)
class Capability(_Report, CapabilityFigures):
    """The result of find_capability(); true if the library supports the whole model.

    Attributes:
        text: The table that `polygraphy inspect capability` prints; empty: all nodes are supported.

    The others are in docs/results.md.
    """

    text: str

    def __bool__(self) -> bool:
        return self.supported


@dataclass(frozen=True)
class LayerTensor:
    """A tensor of a network or an engine.

    Attributes:
        name: Its name.
        dtype: "float32", "int64" ...; None: not known.
        shape: A number, a name or None (not known) for each dimension; None: the rank is not known.
        format: Of an engine's layer: the memory format. Empty: not known.
    """

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None
    format: str = ""


@dataclass(frozen=True)
class NetworkLayer:
    """A layer of a network.

    Attributes:
        name, type: "conv_1", "CONVOLUTION".
        op: "LayerType.CONVOLUTION", "ActivationType.RELU".
        inputs, outputs: Without omitted tensors.
        attributes: By their names in TensorRT's Python module. Enumerators are texts; weights are
            arrays with show=["weights"], else None.
        executed: Every output is computed by the execution; False: one is known before, as a shape.
    """

    name: str
    type: str
    op: str
    inputs: tuple[LayerTensor, ...]
    outputs: tuple[LayerTensor, ...]
    attributes: dict[str, Any]
    executed: bool


@dataclass(frozen=True, repr=False)
class NetworkDescription(_Report):
    """The network that a library makes of a model.

    Attributes:
        name: Its name.
        text: As `polygraphy inspect model --display-as trt` prints it.
        flags: "STRONGLY_TYPED" ...
        layer_precisions: Precisions of layers can be set; False: types come from the model.
        inputs, outputs: Of the network.
        layers: In the network's order.
    """

    name: str
    text: str
    flags: tuple[str, ...]
    layer_precisions: bool
    inputs: tuple[LayerTensor, ...]
    outputs: tuple[LayerTensor, ...]
    layers: tuple[NetworkLayer, ...]


@dataclass(frozen=True)
class EngineRange:
    """The range of shapes of an input in a profile.

    Attributes:
        tensor: The name of the input.
        least, usual, greatest: Shapes.
        values: Of a shape input: its values for each of these; empty for other inputs.
    """

    tensor: str
    least: tuple[int, ...]
    usual: tuple[int, ...]
    greatest: tuple[int, ...]
    values: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class EngineLayer:
    """A layer of an engine, after the library merged layers of the network.

    Attributes:
        name, type, origin, tactic: "Unknown": the engine does not record it.
        inputs, outputs: With their memory formats.
    """

    name: str
    type: str
    origin: str
    tactic: str
    inputs: tuple[LayerTensor, ...]
    outputs: tuple[LayerTensor, ...]


@dataclass(frozen=True, repr=False)
class EngineDescription(_Report):
    """An engine that a library compiled.

    Attributes:
        name: Its name.
        text: As `polygraphy inspect model` prints it.
        refittable: Its weights can be replaced.
        device_memory: In bytes.
        verbosity: "DETAILED": the engine records all information of layers.
        inputs, outputs: Of the engine.
        profiles: The ranges of shapes of each profile.
        layers: Of each profile; a single list if all profiles have the same layers.
    """

    name: str
    text: str
    refittable: bool
    device_memory: int
    verbosity: str
    inputs: tuple[LayerTensor, ...]
    outputs: tuple[LayerTensor, ...]
    profiles: tuple[tuple[EngineRange, ...], ...]
    layers: tuple[tuple[EngineLayer, ...], ...]


def build_engine(
    model: Model | Path, path: Path, *, runner: RunnerLike = "tensorrt", inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1, iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, timeout: float | None = None,
) -> None:  # fmt: skip
    """Compiles a model, and writes the engine to a file, whole or not at all.

    Args:
        model: A Model, the path of a model, or a script for TensorRT, "FILE.py:FUNCTION".
        path: The file of the engine.
        runner: The library and its options, as for run(): "tensorrt fp16".
        inputs, seed, iterations, val_range, valid_inputs: For int8 calibration, as for run(). An
            iterable of inputs is read once, and kept in memory.
        input_shapes: Shapes of inputs, by name.
        timeout: The limit of the build in seconds. The library works in a separate process.

    Raises:
        Error: The model, an option, the library or a script fails.
    """
    if isinstance(model, (str, os.PathLike)) and os.path.exists(path) and os.path.exists(model):
        if os.path.samefile(model, path):
            raise Error(f"The engine would overwrite its model: {path}", "Give another path.")
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=True,
    )  # fmt: skip
    options = _process_options(input_shapes, False, timeout) | {"path": os.fspath(path)}
    _native.build_engine(
        _source_to_native(model), [_runner_to_native(runner)], options, data, _places()
    )


def find_capability(
    model: Model | Path, *, runner: RunnerLike = "tensorrt", timeout: float | None = None
) -> Capability:
    """Finds the nodes of a model that a library supports.

    Args:
        model: A Model, or the path of a model.
        runner: The library and its options, as for run().
        timeout: The limit in seconds. The library works in a separate process.

    Raises:
        Error: The model, an option or the library fails.
    """
    _, text, encoded = _native.find_capability(*_arguments(model, runner, timeout, {}))
    return Capability._of(json.loads(encoded), text=text)


def describe_network(
    model: Model | Path, *, runner: RunnerLike = "tensorrt", show: Sequence[str] = (),
    timeout: float | None = None,
) -> NetworkDescription:  # fmt: skip
    """Describes the network that a library makes of a model before it compiles it.

    Args:
        model: A Model, or the path of a model. For runner="tensorflow", a model of TensorFlow.
        runner: The library and its options, as for run().
        show: Further details of the text: "layers", "attrs" (with layers: their attributes),
            "weights" (with attributes: the values of weights).
        timeout: The limit in seconds. The library works in a separate process.

    Raises:
        Error: The model, an option or the library fails.
    """
    found = _native.describe_network(*_arguments(model, runner, timeout, _details(show)))
    layers = tuple(
        _made(NetworkLayer, each, **_ports(each), attributes=_attributes(each["attributes"]))
        for each in found["layers"]
    )
    return _made(NetworkDescription, found, **_ports(found), layers=layers)


def describe_engine(
    path: Path, *, runner: RunnerLike = "tensorrt", show: Sequence[str] = (),
    timeout: float | None = None,
) -> EngineDescription:  # fmt: skip
    """Describes an engine.

    Args:
        path: The file of the engine.
        runner: The library that compiled it, as for run().
        show: Further details of the text: "layers", "attrs" (with layers: origins and tactics).
        timeout: The limit in seconds. The library works in a separate process.

    Raises:
        Error: The file is not an engine of this library, or the library fails.
    """
    arguments = _arguments(os.fspath(path), runner, timeout, _details(show))
    found = _native.describe_engine(*arguments)
    return _made(
        EngineDescription,
        found,
        **_ports(found),
        profiles=tuple(tuple(map(_range, profile)) for profile in found["profiles"]),
        layers=tuple(
            tuple(_made(EngineLayer, each, **_ports(each)) for each in profile)
            for profile in found["layers"]
        ),
    )


def _arguments(
    model: Model | Path, runner: RunnerLike, timeout: float | None, more: dict[str, bool]
) -> tuple[Any, list[str], dict[str, Any], dict[str, Any], dict[str, Any]]:
    options = _process_options(None, False, timeout) | more
    runners = [_runner_to_native(runner)]
    return _source_to_native(model), runners, options, _inputs_to_native(None), _places()


def _details(show: Sequence[str]) -> dict[str, bool]:
    shown = [show] if isinstance(show, str) else list(show)
    for each in shown:
        if each not in _DETAILS:
            raise Error(f"There is no detail {each!r}.", f"Details: {', '.join(_DETAILS)}.")
    return {each: each in shown for each in _DETAILS}


def _ports(found: dict[str, Any]) -> dict[str, tuple[LayerTensor, ...]]:
    return {
        each: tuple(_made(LayerTensor, tensor) for tensor in found[each])
        for each in ("inputs", "outputs")
    }


def _attributes(found: list[tuple[str, Any, bool]]) -> dict[str, Any]:
    values = {}
    for name, value, are_weights in found:
        if are_weights and value is not None:
            value = _to_numpy(*value)
        values[name] = tuple(value) if isinstance(value, list) else value
    return values


def _range(found: dict[str, Any]) -> EngineRange:
    return _made(EngineRange, found, values=tuple(map(tuple, found["values"])))
