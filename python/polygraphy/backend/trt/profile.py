"""Ranges of shapes that an engine is built for."""

from __future__ import annotations

from typing import Iterator, Optional, Sequence

from polygraphy import mod, util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt.util._network import network_inputs
from polygraphy.common.interface import TypedDict
from polygraphy.logger import G_LOGGER, LogMode


@mod.export()
class ShapeTuple:
    """The minimum, optimum and maximum shape of one input. Unpacks into the three.

    Args:
        min: The minimum shape.
        opt: The shape to optimize for.
        max: The maximum shape.
    """

    def __init__(self, min: Sequence[int], opt: Sequence[int], max: Sequence[int]):
        self.min = min
        self.opt = opt
        self.max = max

    def __str__(self) -> str:
        return f"(min={self.min}, opt={self.opt}, max={self.max})"

    def __repr__(self) -> str:
        return type(self).__name__ + str(self)

    def __iter__(self) -> Iterator[Sequence[int]]:
        yield from (self.min, self.opt, self.max)


@mod.export()
class Profile(TypedDict(lambda: str, lambda: ShapeTuple)):
    """One optimization profile: names of inputs -> shapes, in order.

    Names may be patterns as of `fnmatch`. An input's own name goes before patterns, and of these
    the last one that matches counts. For an input that holds a shape, shapes are values.
    """

    def add(
        self, name: str, min: Sequence[int], opt: Sequence[int], max: Sequence[int]
    ) -> "Profile":
        """Sets the shapes of an input.

        Args:
            name: The input, or a pattern.
            min: The minimum shape.
            opt: The shape to optimize for.
            max: The maximum shape.

        Returns:
            The profile itself.
        """
        self[name] = ShapeTuple(min, opt, max)
        return self

    def __getitem__(self, key: str) -> ShapeTuple:
        """The shapes of a name.

        Raises:
            PolygraphyException: If the profile has no shapes for it.
        """
        if key not in self:
            G_LOGGER.critical(f"Binding: {key} does not have shapes set in this profile")
        return super().__getitem__(key)

    def _keys_of(self, names: Sequence[str]) -> dict:
        """Names of inputs -> their keys, for inputs with one."""
        matched, _ = util.match_keys(self.keys(), names)
        return {**matched, **{name: name for name in names if name in self}}

    def fill_defaults(self, network, default_shape_value: Optional[int] = None) -> "Profile":
        """Adds the inputs of a network that have no shapes yet, each with a single shape.

        Args:
            network: The network.
            default_shape_value: The value of dynamic dimensions, and of the elements of shape
                tensors; 1 if left out.

        Returns:
            The profile itself.
        """
        inputs = network_inputs(network)
        keys = self._keys_of([tensor.name for tensor in inputs])
        for tensor in inputs:
            if tensor.name in keys:
                continue
            shape = tensor.shape
            if tensor.is_shape_tensor:
                # As many values as it has elements: a scalar has one.
                what, kind = "values", "shape-tensor"
                values, static = "input values", "static values"
                shape = [-1] * (shape[0] if len(shape) > 0 else 1)
                shape = tuple(util.override_dynamic_shape(shape, default_shape_value))
            else:
                what, kind = "shapes", "tensor"
                values, static = "shape", "a static shape"
                shape = util.override_dynamic_shape(shape, default_shape_value)
            described = trt_util.str_from_tensor(tensor, tensor.is_shape_tensor)
            G_LOGGER.warning(
                f"{described} | No {what} provided; Will use {values}: {shape} for min/opt/max in "
                "profile.",
                mode=LogMode.ONCE,
            )
            G_LOGGER.warning(
                f"This will cause the {kind} to have {static}. If this is incorrect, please set "
                f"the range of {what} for this input {kind}.",
                mode=LogMode.ONCE,
            )
            self.add(tensor.name, shape, shape, shape)
        return self

    def to_trt(self, builder, network):
        """Makes TensorRT's own profile.

        Args:
            builder: The `trt.Builder` that makes it.
            network: The network with the inputs.

        Returns:
            trt.IOptimizationProfile: The profile.

        Raises:
            PolygraphyException: If a name is not an input, an input has no shapes, or TensorRT
                rejects the profile.
        """
        trt_profile = builder.create_optimization_profile()
        inputs = network_inputs(network)
        names = [tensor.name for tensor in inputs]
        _, unknown = util.match_keys(self.keys(), names)
        unknown = [name for name in unknown if name not in names]
        if unknown:
            # Written as sets are, but in order.
            texts = ["{" + ", ".join(map(repr, each)) + "}" for each in (unknown, names)]
            G_LOGGER.critical(
                f"Invalid inputs were provided to the optimization profile: {texts[0]}\n"
                f"Note: Inputs available in the TensorRT network are: {texts[1]}"
            )

        keys = self._keys_of(names)
        for tensor in inputs:
            described = trt_util.str_from_tensor(tensor, tensor.is_shape_tensor)
            if tensor.is_shape_tensor:
                if tensor.name not in keys:
                    G_LOGGER.warning(
                        f"{described} | No values provided. "
                        "Assuming this is not a dynamic shape-tensor.",
                        mode=LogMode.ONCE,
                    )
                    continue
                shapes = self[keys[tensor.name]]
                trt_profile.set_shape_input(tensor.name, *shapes)
                G_LOGGER.verbose(
                    f"{described} | Setting input shape-tensor value range to: {shapes}"
                )
            else:
                shapes = self[keys.get(tensor.name, tensor.name)]
                trt_profile.set_shape(tensor.name, *shapes)
                G_LOGGER.verbose(f"{described} | Setting input tensor shapes to: {shapes}")
        return trt_util.check_profile(trt_profile)

    def __repr__(self) -> str:
        ret = "Profile()"
        for name, (low, opt, high) in self.items():
            ret += f".add({name!r}, min={low!r}, opt={opt!r}, max={high!r})"
        return ret

    def __str__(self) -> str:
        entries = [
            f"{name} [min={low}, opt={opt}, max={high}]" for name, (low, opt, high) in self.items()
        ]
        return "{" + ",\n ".join(entries) + "}"
