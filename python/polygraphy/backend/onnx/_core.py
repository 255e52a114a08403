"""The seam to the native code: functions of whole models, which cross as bytes.

Graphs go through `onnx_graphsurgeon`, which has a separate seam. Large values stay in Python:
the native code gets stand-ins, which say only that the values are elsewhere.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Optional

from polygraphy.backend.onnx import _large_models
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import onnx

Log = Callable[[int, str, str], None]  # severity, module, text

MOST_BYTES = 1 << 30  # of a model that crosses whole


def _native() -> Any:
    from onnx_graphsurgeon import _core

    return _core.native()


def _without_large_values(model: onnx.ModelProto) -> tuple:
    """A model to encode, and the initializers that it only mentions."""
    from onnx_graphsurgeon import _large_values

    initializers = model.graph.initializer
    large = [each for each in initializers if _large_values.byte_count(each) >= 1 << 16]
    return (_large_values.without_values(model, large) if large else model), large


def infer_shapes(model: onnx.ModelProto, log: Log) -> onnx.ModelProto:
    """A new model, with what can be inferred of types and shapes."""
    from onnx_graphsurgeon import _large_values

    skeleton, large = _without_large_values(model)
    inferred = onnx.ModelProto.FromString(_native().infer_shapes(skeleton.SerializeToString(), log))
    _large_values.put_values(inferred.graph, large)
    return inferred


def fold_constants(
    model: onnx.ModelProto,
    options: tuple,
    on_pass: Callable[[int, Optional[int], Optional[int]], None],
    log: Log,
) -> Optional[tuple]:
    """Folds constants until nothing is left to fold.

    Args:
        model: The model.
        options: num_passes, do_shape_inference, partitioning, fold_shapes, error_ok,
            size_threshold and keep_input_defaults, as FoldConstants takes them.
        on_pass: Called with the number of a pass before it, and with the number and the numbers of
            nodes before and after it.
        log: Called with messages.

    Returns: the model and the error that ended the folding, if any; None if the caller must fold
        graph by graph: models too large to cross whole, and invalid options, which graphs report.
    """
    from onnx_graphsurgeon import _large_values
    from polygraphy_native import tree

    partitioning = options[2]
    too_large = sum(map(_large_values.byte_count, model.graph.initializer)) >= MOST_BYTES
    if too_large or partitioning not in (None, "basic", "recursive"):
        return None
    folders = [path for path in sys.path if os.path.isdir(os.path.join(path, "onnxruntime"))]
    data, failure = _native().fold_model(
        model.SerializeToString(), *options, tree(), folders, on_pass, log
    )
    return onnx.ModelProto.FromString(data), failure


def convert_to_fp16(model: onnx.ModelProto, log: Log) -> onnx.ModelProto:
    """A new model that computes in float16; its inputs and outputs keep their types."""
    data = model.SerializeToString()
    return onnx.ModelProto.FromString(_native().convert_to_fp16(data, log))


def load_model(path: str, external_data_dir: Optional[str]) -> Optional[onnx.ModelProto]:
    """The model in a file, with the values of its data files; None if `onnx` must read it.

    These are files in other formats than the binary one, and broken files, for which `onnx` raises
    its errors.
    """
    if not is_binary(path):
        return None
    try:
        if os.path.getsize(path) >= _large_models.LEAST_MODEL_BYTES:
            model = _large_models.load(_native(), path)
            if model is not None:
                folder = external_data_dir or os.path.dirname(path)
                onnx.external_data_helper.load_external_data_for_model(model, folder)
            return model
        return onnx.ModelProto.FromString(_native().load_model(path, external_data_dir))
    except ImportError:
        raise
    except Exception:
        return None


def is_binary(path: str) -> bool:
    """Whether `onnx` takes a file for one in the binary format."""
    return os.path.splitext(path)[1] in ("", ".onnx", ".pb")


def save_large(model: onnx.ModelProto, path: str) -> bool:
    """Writes a large model, atomically and without another copy of its values.

    Returns:
        False if nothing was written: other models are left to `onnx`.
    """
    if not is_binary(path) or not _large_models.is_large(model):
        return False
    return _large_models.save(_native(), model, path)


def save_with_external_data(
    model: onnx.ModelProto, path: str, location: str, size_threshold: int, one_file: bool
) -> bool:
    """Writes a model and its data files, atomically; the message keeps its values.

    Args:
        model: The model.
        path: Where to write it.
        location: The name of the data file, relative to the folder; "" for `<model>.data`.
        size_threshold: Bytes of a tensor from which on it goes into a data file.
        one_file: Whether there is one data file for all tensors.

    Returns:
        False if nothing was written: `onnx` saves models with values that are in other files
        already, large models, and models that the native code refuses.

    Raises:
        OSError: if a file cannot be written. Older files are unchanged then.
    """
    external = onnx.TensorProto.EXTERNAL
    if any(tensor.data_location == external for tensor in model.graph.initializer):
        return False
    if _large_models.byte_size(model) >= MOST_BYTES:
        return False
    native = _native()
    try:
        native.save_model(model.SerializeToString(), path, location, size_threshold, one_file)
    except (OSError, MemoryError):
        raise
    except Exception:
        return False
    return True


def describe(model: onnx.ModelProto, show: list) -> str:
    """The text that `inspect model --show ...` prints for a model, without the heading."""
    import subprocess
    import tempfile

    _native()  # also finds polygraphy_native for packages that are not installed
    from polygraphy_native._places import executable

    with tempfile.TemporaryDirectory(prefix="polygraphy_") as folder:
        path = os.path.join(folder, "model.onnx")
        shown = model if "weights" in show else _without_large_values(model)[0]
        with open(path, "wb") as file:
            file.write(shown.SerializeToString())
        command = [executable(), "inspect", "model", path, "--ignore-external-data"]
        command += ["--model-type", "onnx", "--log-format", "no-colors"]
        if show:
            command += ["--show", *show]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        G_LOGGER.critical(f"The model cannot be described:\n{done.stderr or done.stdout}")
    # The lines of a message after its first one are indented.
    lines = done.stdout.split("==== ONNX Model ====\n", 1)[1].splitlines()
    return "\n".join(line[4:] for line in lines)
