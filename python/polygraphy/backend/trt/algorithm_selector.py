"""Recording the tactics that TensorRT chooses for layers, and replaying them.

TensorRT 11 has no such interfaces; files can be read and written with any version.
"""

from __future__ import annotations

from typing import Any, Sequence

from polygraphy import mod, util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.common.interface import TypedDict
from polygraphy.json import Decoder, Encoder, add_json_methods
from polygraphy.json.serde import register_fields
from polygraphy.logger import G_LOGGER, LogMode


def check_is_instance(obj: Any, cls: type, name: str) -> None:
    """Raises PolygraphyException unless something is of a type.

    Args:
        obj: The object to check.
        cls: The type.
        name: Its name in the message.
    """
    if not isinstance(obj, cls):
        G_LOGGER.critical(f"'{name}' must be an instance of {cls.__name__}, but is: {obj}.")


class _Compared:
    """Objects that are equal if their attributes are."""

    def __eq__(self, other) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


@mod.export()
class TensorInfo(_Compared):
    """The memory layout of a tensor, as far as a tactic depends on it.

    Args:
        dtype: The data type, a `trt.DataType`.
        strides: Elements between neighbours along each axis.
        vectorized_dim: The vectorized axis; -1 without one.
        components_per_element: Components per element of that axis.
    """

    @staticmethod
    def from_trt(io_info) -> "TensorInfo":
        """Converts a `trt.IAlgorithmIOInfo`.

        Args:
            io_info: The description of an input or output.
        """
        return TensorInfo(
            io_info.dtype,
            tuple(io_info.strides),
            io_info.vectorized_dim,
            io_info.components_per_element,
        )

    def __init__(
        self,
        dtype,
        strides: Sequence[int],
        vectorized_dim: int,
        components_per_element: int,
    ):
        check_is_instance(dtype, trt.DataType, "dtype")
        check_is_instance(strides, Sequence, "strides")
        check_is_instance(vectorized_dim, int, "vectorized_dim")
        check_is_instance(components_per_element, int, "components_per_element")
        self.dtype = dtype
        self.strides = tuple(strides)
        self.vectorized_dim = vectorized_dim
        self.components_per_element = components_per_element

    def __repr__(self) -> str:
        return (
            f"TensorInfo({self.dtype}, {self.strides}, {self.vectorized_dim}, "
            f"{self.components_per_element})"
        )


@Encoder.register(TensorInfo)
def encode(tensor_info):
    return {
        "dtype": str(tensor_info.dtype),
        "strides": tensor_info.strides,
        "vectorized_dim": tensor_info.vectorized_dim,
        "components_per_element": tensor_info.components_per_element,
    }


@Decoder.register(TensorInfo)
def decode(dct):
    return TensorInfo(
        util.getattr_nested(trt, dct["dtype"]),
        tuple(dct["strides"]),
        dct["vectorized_dim"],
        dct["components_per_element"],
    )


@mod.export()
class Algorithm(_Compared):
    """A tactic of a layer: an implementation, and its tensors.

    Args:
        implementation: The number of the implementation.
        tactic: The number of the tactic.
        inputs: TensorInfo of each input.
        outputs: TensorInfo of each output.
    """

    @staticmethod
    def from_trt(context, algorithm) -> "Algorithm":
        """Converts a `trt.IAlgorithm` and its `trt.IAlgorithmContext`.

        Args:
            context: The context, which knows the numbers of inputs and outputs.
            algorithm: The algorithm.
        """
        infos = [
            TensorInfo.from_trt(algorithm.get_algorithm_io_info(index))
            for index in range(context.num_inputs + context.num_outputs)
        ]
        return Algorithm(
            algorithm.algorithm_variant.implementation,
            algorithm.algorithm_variant.tactic,
            inputs=infos[: context.num_inputs],
            outputs=infos[context.num_inputs :],
        )

    def __init__(
        self,
        implementation: int,
        tactic: int,
        inputs: Sequence[TensorInfo],
        outputs: Sequence[TensorInfo],
    ):
        for name, infos in (("inputs", inputs), ("outputs", outputs)):
            for index, info in enumerate(infos):
                check_is_instance(info, TensorInfo, f"{name}[{index}]")
        self.implementation = implementation
        self.tactic = tactic
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)

    def __str__(self) -> str:
        return (
            f"(Implementation: {self.implementation}, Tactic: {self.tactic}) | "
            f"Inputs: {self.inputs} | Outputs: {self.outputs}"
        )


register_fields(Algorithm, "implementation", "tactic", "inputs", "outputs")


@mod.export()
@add_json_methods("tactic replay file")
class TacticReplayData(TypedDict(lambda: str, lambda: Algorithm)):
    """Names of layers -> the tactics chosen for them, in order."""

    def add(self, name: str, algorithm: Algorithm) -> "TacticReplayData":
        """Sets the tactic of a layer.

        Args:
            name: The layer.
            algorithm: The tactic.

        Returns:
            This object itself.
        """
        self[name] = algorithm
        return self

    def __str__(self) -> str:
        return "\n".join(
            f"Layer: {name}\n{util.indent_block(f'Algorithm: {algorithm}')}"
            for name, algorithm in self.items()
        )


@Encoder.register(TacticReplayData)
def encode(replay):
    return {"replay": replay.dct}


@Decoder.register(TacticReplayData)
def decode(dct):
    return TacticReplayData(dct["replay"])


def get_base_selector_type() -> type:
    """The base class of algorithm selectors, which takes every tactic that is offered.

    Raises:
        PolygraphyException: If this TensorRT has no algorithm selectors.
    """
    if not util.try_getattr(trt, "IAlgorithmSelector"):
        trt_util.fail_unavailable("Algorithm selectors (TacticRecorder/TacticReplayer)")

    class BaseSelector(trt.IAlgorithmSelector):
        def __init__(self, path_or_data):
            # Objects of the extension cannot be used before this.
            trt.IAlgorithmSelector.__init__(self)
            is_data = isinstance(path_or_data, TacticReplayData)
            self.path = None if is_data else path_or_data
            self.data = path_or_data if is_data else TacticReplayData()

        def select_algorithms(self, context, choices) -> list:
            return list(range(len(choices)))

    return BaseSelector


@mod.export()
@mod.deprecate(remove_in="0.55.0", use_instead=None)
def TacticRecorder(record):
    """An algorithm selector that writes down which tactics TensorRT chooses.

    Args:
        record: A path or file-like object to write them to, or TacticReplayData to add them to.
    """

    class TacticRecorderClass(get_base_selector_type()):
        def __init__(self):
            super().__init__(record)
            self.make_func = TacticRecorder

        @G_LOGGER.log_exception
        def report_algorithms(self, contexts, choices) -> None:
            """Writes down the tactics. Called by TensorRT after it chose.

            Args:
                contexts: The context of each layer.
                choices: The tactic of each layer.
            """
            for context, choice in zip(contexts, choices):
                self.data.add(context.name, Algorithm.from_trt(context, choice))
            if self.path is not None:
                self.data.save(self.path)

    return TacticRecorderClass()


def _warn_about_unknown_layer(name: str, known) -> None:
    G_LOGGER.warning(
        f"Layer: {name} was not found in the tactic replay. Falling back to default tactics."
    )
    G_LOGGER.warning(
        "Has the network changed since the tactic replay file was generated?\n"
        "Note: Layers in the tactic replay are:\n" + util.indent_block("\n".join(known)),
        mode=LogMode.ONCE,
    )


def _place_in_choices(context, wanted: Algorithm, choices) -> int:
    """The index of a tactic among the choices. Raises PolygraphyException if it is missing."""
    offered = [Algorithm.from_trt(context, choice) for choice in choices]
    if wanted not in offered:
        G_LOGGER.critical(
            f"Layer: {context.name} | Tactic in replay was not provided by TensorRT as a "
            "choice for this layer.\n"
            "Has the network or builder configuration changed since the replay file was "
            "generated?\n"
            f"Note: Tactic in replay was:\n{util.indent_block(wanted)}\n"
            "Provided choices were:\n" + util.indent_block("\n".join(map(str, offered)))
        )
    return offered.index(wanted)


def _check_choice(context, wanted: Algorithm, choice) -> None:
    """Raises PolygraphyException if TensorRT chose another tactic."""
    chosen = Algorithm.from_trt(context, choice)
    if wanted != chosen:
        G_LOGGER.critical(
            f"Layer: {context.name} | TensorRT selected a tactic different than the "
            "one specified in the tactic replay.\n"
            f"Note: Tactic in replay was:\n{util.indent_block(wanted)}, but TensorRT "
            f"selected:\n{util.indent_block(chosen)}"
        )


@mod.export()
@mod.deprecate(remove_in="0.55.0", use_instead=None)
def TacticReplayer(replay):
    """An algorithm selector that chooses the tactics that a TacticRecorder wrote down.

    Args:
        replay: A path or file-like object to read them from, or TacticReplayData.
    """

    class TacticReplayerClass(get_base_selector_type()):
        def __init__(self):
            super().__init__(replay)
            if self.path is not None:
                self.data = TacticReplayData.load(self.path)
            self.make_func = TacticReplayer

        @G_LOGGER.log_exception
        def select_algorithms(self, context, choices) -> list:
            """The index of the tactic that was written down; all, with a warning, for layers that
            are not known.

            Args:
                context: The context of the layer.
                choices: The tactics on offer.

            Raises:
                PolygraphyException: If the tactic is not on offer.
            """
            if not self.data:
                return super().select_algorithms(context, choices)
            if context.name not in self.data:
                _warn_about_unknown_layer(context.name, self.data)
                return super().select_algorithms(context, choices)

            return [_place_in_choices(context, self.data[context.name], choices)]

        @G_LOGGER.log_exception
        def report_algorithms(self, contexts, choices) -> None:
            """Checks the tactics that TensorRT finally chose. Called by TensorRT.

            Args:
                contexts: The context of each layer.
                choices: The tactic of each layer.

            Raises:
                PolygraphyException: If a tactic is another than the one that was written down.
            """
            for context, choice in zip(contexts, choices):
                if context.name in self.data:
                    _check_choice(context, self.data[context.name], choice)

    return TacticReplayerClass()
