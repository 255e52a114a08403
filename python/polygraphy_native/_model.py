"""ONNX models."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._engines import _places
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model_options import _bounds, _fold_options, _ports
from polygraphy_native._model_parts import Initializers, Nodes, RolledBack, TensorInfo, Verification
from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    import numpy as np
    import onnx
    from typing_extensions import Buffer

    from polygraphy_native._inputs import Inputs

Path = Union[str, "os.PathLike[str]"]

# Bytes by which folding may make a model grow.
_MAX_GROWTH = 16 << 20


class Model:
    """An ONNX model: its graph is in memory, its weights stay in their files until they are used.

    Made by load(), Model.from_bytes(), Model.from_proto() and Model.from_graph(). Methods that are
    named like an action change the model in place; extract() and copy() return another one.

    A Model belongs to one thread at a time: a call during another call raises Error.
    A file that was mapped must not be written to in place, or truncated, while the model is
    used: that raises Error where it is noticed before a call reads from it, and nothing protects
    the call that is reading just then, nor a view that array() has returned. Replacing the file by
    another one, as save() does, is harmless.

    Every method raises Error, and KeyboardInterrupt soon after a Ctrl-C.
    """

    __slots__ = ("_core",)

    _core: _native.Model

    def __init__(self) -> None:
        raise TypeError("models are made by load(), Model.from_bytes(), from_proto(), from_graph()")

    @classmethod
    def _of(cls, native: _native.Model) -> Model:
        model = cls.__new__(cls)
        model._core = native
        return model

    @classmethod
    def from_bytes(cls, data: Buffer, *, external_data_dir: Path = "") -> Model:
        """From an encoded ModelProto.

        Args:
            data: Bytes, which are kept and not copied; buffers that can be written to are copied.
            external_data_dir: The folder of external data. Empty: not set.
        """
        return cls._of(_native.Model.from_bytes(data, os.fspath(external_data_dir)))

    @classmethod
    def from_proto(cls, model: onnx.ModelProto, *, external_data_dir: Path = "") -> Model:
        """From a message of the package onnx, of less than 2 GiB. O(bytes): it is encoded."""
        return cls.from_bytes(model.SerializeToString(), external_data_dir=external_data_dir)

    @classmethod
    def from_graph(cls, graph: Any) -> Model:
        """From an onnx_graphsurgeon.Graph, with less than 2 GiB of values. O(bytes)."""
        return cls.from_proto(_graphsurgeon().export_onnx(graph))

    # The contents.

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """In their order; those that are initializers too (default values) are included."""
        return tuple(TensorInfo(*each) for each in self._core.inputs())

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """In their order."""
        return tuple(TensorInfo(*each) for each in self._core.outputs())

    @property
    def nodes(self) -> Nodes:
        """Of the main graph. O(1); each node is read on first access."""
        return Nodes(self._core)

    @property
    def initializers(self) -> Initializers:
        """Of the main graph. O(1); the first look-up after a change is O(initializers)."""
        return Initializers(self._core)

    @property
    def ir_version(self) -> int:
        """The version of the file format."""
        return self._core.header()[0]

    @property
    def opsets(self) -> dict[str, int]:
        """Versions of the operators by domain; "" is ONNX's own."""
        return self._core.header()[1]

    @property
    def producer(self) -> tuple[str, str]:
        """Name and version of the program that made the model; may be empty."""
        header = self._core.header()
        return header[2], header[3]

    @property
    def name(self) -> str:
        """Of the main graph."""
        return self._core.header()[4]

    @property
    def path(self) -> str:
        """The file that it was loaded from; empty: none."""
        return self._core.header()[5]

    def __repr__(self) -> str:
        name = self.path or self.name or "in memory"
        ends = f"{_in_a_line(self.inputs)} -> {_in_a_line(self.outputs)}"
        return f"<Model {name}: {len(self.nodes)} nodes, {ends}>"

    # Values.

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """The values of an initializer, or of a Constant node by the name of its output.

        Returns: An array that cannot be written to. It views the model's own memory, or the mapped
            file, and keeps it, where the values lie there in C order and aligned as the element
            type asks for; else it is a copy. Types with fewer than 8 bits are unpacked: an element
            takes a byte. bfloat16 and the floats of 8 bits and less need the package ml_dtypes, as
            do int4 and its kin. Texts are an array of str objects.
        """
        from polygraphy_native._arrays import _to_numpy

        return _to_numpy(*self._core.array(name))

    def set_array(self, name: str, values: np.ndarray[Any, Any]) -> None:
        """Gives an initializer other values, also of another type or shape.

        Args:
            name: Of an initializer.
            values: Kept as it is, not copied, if it is in C order: later writes to it change
                the model, too. Types with fewer than 8 bits, and texts, are copied.
        """
        from polygraphy_native._arrays import _to_native

        self._core.set_array(name, _to_native(values, f"'{name}'"))

    # Changes.

    def fold(
        self,
        *,
        num_passes: int | None = None,
        partitioning: str | None = None,
        fold_shapes: bool = True,
        per_pass_shape_inference: bool = True,
        size_threshold: int | None = None,
        max_growth: int | None = _MAX_GROWTH,
        mem_limit: int | None = None,
        skip_rules: Sequence[str] = (),
        keep_input_defaults: bool = False,
        error_ok: bool = True,
    ) -> None:
        """Computes nodes that depend on constants only, and stores the results, until none is left.

        Args:
            num_passes: At most this many passes.
            partitioning: How to continue if a part cannot be computed: "basic" tries each result
                separately, "recursive" continues from the node that failed; None: skip the part.
            fold_shapes: Also Shape nodes and the arithmetic on shapes.
            per_pass_shape_inference: Infer shapes on the way.
            size_threshold: Bytes; larger results are left unfolded.
            max_growth: Bytes by which the model may grow; None: any.
            mem_limit: Bytes that results and the values on the way to them may take together; None:
                4 GiB for each call of ONNX Runtime.
            skip_rules: Rules that are not applied: `polygraphy surgeon sanitize --list-rules`.
            keep_input_defaults: Do not fold initializers that are inputs too, which callers may
                replace from IR version 4 on.
            error_ok: False: raise the engine's error instead of leaving the rest unfolded.

        ONNX Runtime computes. O(passes x (nodes + computation)). When it is interrupted, results
        until then stay.
        """
        options = _fold_options(
            num_passes, partitioning, fold_shapes, per_pass_shape_inference, size_threshold,
            max_growth, mem_limit, skip_rules, keep_input_defaults,
        )  # fmt: skip
        self._core.fold({**options, "error_ok": error_ok}, _places())

    def cleanup(
        self, *, remove_unused_node_outputs: bool = False, remove_unused_graph_inputs: bool = False
    ) -> None:
        """Removes nodes, initializers and declarations that no output needs. O(graph)."""
        self._core.cleanup(remove_unused_node_outputs, remove_unused_graph_inputs)

    def toposort(self) -> None:
        """Sorts nodes and functions so that producers come first. Raises Error for cycles.
        O(graph)."""
        self._core.toposort()

    def infer_shapes(self) -> None:
        """Adds the types and shapes that can be inferred; nodes on which that fails are left as they
        are, with a warning. O(nodes)."""
        self._core.infer_shapes()

    def to_fp16(self) -> None:
        """Converts float tensors to float16; inputs and outputs, too. O(bytes of weights)."""
        self._core.to_fp16()

    def sanitize(
        self, *, cleanup: bool = False, toposort: bool = False, fold_constants: bool = False,
        num_passes: int | None = None, partitioning: str | None = None, fold_shapes: bool = True,
        per_pass_shape_inference: bool = True, fold_size_threshold: int | None = None,
        max_growth: int | None = _MAX_GROWTH, mem_limit: int | None = None,
        skip_rules: Sequence[str] = (),
        keep_input_defaults: bool = False,
        override_input_shapes: Mapping[str, Shape] | None = None,
        set_unbounded_dds_upper_bound: int | Mapping[str, int] | None = None,
        outputs: Sequence[str] = (), exclude_outputs: Sequence[str] = (),
        outputs_by_type: Sequence[str] = (), fp_to_fp16: bool = False,
        shape_inference: bool = True, force_fallback_shape_inference: bool = False,
        verify: bool = False, inputs: Path | None = None, seed: int = 1, iterations: int = 1,
        val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    ) -> Verification | None:  # fmt: skip
        """All that `polygraphy surgeon sanitize` does, in its order, with options of its names.

        Args:
            cleanup: Remove nodes and tensors that no output needs.
            toposort: Sort the nodes.
            fold_constants: Fold, as fold() does, with its options.
            override_input_shapes: Other shapes for inputs, by name.
            set_unbounded_dds_upper_bound: Upper bounds for tensors with data-dependent sizes, for
                all of them or by name.
            outputs, exclude_outputs, outputs_by_type: Other outputs: names and patterns, ["*"] for
                all; names to leave out; types of operators.
            fp_to_fp16: Convert to float16.
            shape_inference: Infer shapes.
            force_fallback_shape_inference: Take all shapes from one run on ONNX Runtime.
            verify: Run the result and the model as it was, and revert rewrites that changed
                its results.
            inputs: The path of saved inputs for `verify`, besides generated ones.
            seed, iterations, val_range: Of generated inputs: see run().

        Returns: The result of `verify`; else None. When it raises, the model is as it was.
        """
        options = {
            **_fold_options(
                num_passes, partitioning, fold_shapes, per_pass_shape_inference,
                fold_size_threshold, max_growth, mem_limit, skip_rules, keep_input_defaults,
            ),
            "fold_constants": fold_constants,
            "cleanup": cleanup,
            "toposort": toposort,
            "outputs": list(outputs),
            "exclude_outputs": list(exclude_outputs),
            "outputs_by_type": list(outputs_by_type),
            "fp_to_fp16": fp_to_fp16,
            "shape_inference": shape_inference,
            "observe_shapes": force_fallback_shape_inference,
            "upper_bounds": _bounds(set_unbounded_dds_upper_bound),
            "input_shapes": _shapes_to_native(override_input_shapes),
            "verify": verify,
        }  # fmt: skip
        data = _inputs_to_native(
            inputs, seed=seed, iterations=iterations, val_range=val_range,
            input_shapes=override_input_shapes,
        )  # fmt: skip
        verdict, rolled_back = self._core.sanitize(options, data, _places())
        if verdict is None:
            return None
        return Verification(verdict, tuple(RolledBack(*each) for each in rolled_back))

    # Other models.

    def extract(
        self,
        *,
        inputs: Iterable[str] | Mapping[str, Shape | None] | None = None,
        outputs: Iterable[str] | None = None,
        force_fallback_shape_inference: bool = False,
        feed: Inputs = None,
    ) -> Model:
        """The part of the model between tensors.

        Args:
            inputs, outputs: Names of the tensors that become inputs and outputs; of inputs also a
                dict with their shapes. None: the model's own.
            force_fallback_shape_inference: Take types and shapes from a run on ONNX Runtime.
            feed: The feed of this run: see run(). It is also made if inference cannot
                determine a type, or the shape of an input.

        Returns: A new model, which shares the weights.
        """
        options = {
            "inputs": _ports(inputs),
            "outputs": _ports(outputs),
            "force_fallback_shape_inference": force_fallback_shape_inference,
        }
        part = self._core.extract(options, _inputs_to_native(feed, again=True), _places())
        return Model._of(part)

    def copy(self) -> Model:
        """Another model with the same content, which shares the weights. O(graph)."""
        return Model._of(self._core.copy())

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Model:
        return self.copy()

    # Where it goes.

    def save(
        self,
        path: Path,
        *,
        external_data: str | None = None,
        size_threshold: int = 1024,
        one_file: bool = True,
        share_external_data: bool = False,
    ) -> None:
        """Writes the model, atomically; the file that it was loaded from may be replaced.

        Args:
            path: Where to write it; the folder is made.
            external_data: The name of a file beside it for the weights; "": the model's name and
                ".data". None: weights go into the model, unless they take 2 GiB and more.
            size_threshold: Bytes; smaller tensors stay in the model.
            one_file: False: a file for each tensor.
            share_external_data: Refer to the data files that there are instead of copying them.
        """
        options = {
            "external_data": external_data,
            "size_threshold": size_threshold,
            "one_file": one_file,
            "share_external_data": share_external_data,
        }
        self._core.save(os.fspath(path), options)

    def to_bytes(self) -> bytes:
        """The encoded ModelProto with all values, external data included. Raises Error at 2 GiB."""
        return self._core.to_bytes()

    def to_proto(self) -> onnx.ModelProto:
        """A message of the package onnx, as to_bytes()."""
        import onnx

        message: onnx.ModelProto = onnx.ModelProto.FromString(self.to_bytes())
        return message

    def to_graph(self) -> Any:
        """An onnx_graphsurgeon.Graph with this content, for editing; the model stays as it is.

        Of this package's onnx_graphsurgeon (polygraphy_native.install()), it shares the weights,
        and is a native model until something looks into it; of the original of that name, it is
        imported from to_proto().
        """
        graphsurgeon = _graphsurgeon()
        core = getattr(graphsurgeon, "_core", None)
        if core is None:
            return graphsurgeon.import_onnx(self.to_proto())
        core.native()  # knows the classes from here on
        return self._core.to_graph()


def load(path: Path, *, external_data_dir: Path = "", ignore_external_data: bool = False) -> Model:
    """The model in a file, which is mapped: no weights are read. O(structure).

    Args:
        path: Of an ONNX model.
        external_data_dir: The folder of external data. Empty: the model's own.
        ignore_external_data: External data may be missing; values that lie there cannot be read.

    Raises:
        Error: The file cannot be read, or is not a model; the message gives the position in it.
    """
    return Model._of(
        _native.Model.load(os.fspath(path), os.fspath(external_data_dir), ignore_external_data)
    )


def _graphsurgeon() -> Any:
    """The package of graphs that the program has: ours, or the original."""
    try:
        return import_module("onnx_graphsurgeon")
    except ImportError:
        raise Error(
            "The package onnx_graphsurgeon cannot be imported.",
            "Call polygraphy_native.install() first: it comes with this package.",
        ) from None


def _in_a_line(tensors: Sequence[TensorInfo]) -> str:
    """"x float32[1, N], mask int64 and 24 more"."""
    shown = []
    for name, dtype, shape, kind in tensors[:3]:
        sizes = "" if shape is None else f"[{', '.join('?' if d is None else str(d) for d in shape)}]"
        shown.append(f"{name} {dtype or kind}{sizes}")
    more = f" and {len(tensors) - 3} more" if len(tensors) > 3 else ""
    return ", ".join(shown) + more


def _source_to_native(model: Model | Path) -> Any:
    """The form of a model that jobs take."""
    return model._core if isinstance(model, Model) else os.fspath(model)
