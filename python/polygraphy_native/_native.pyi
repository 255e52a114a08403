"""The extension. Programs use the packages; these functions may change with any version."""

from typing import Any, Callable

from typing_extensions import Buffer

_Log = Callable[[int, str, str], object]

class Payload:
    """The values of a constant of a model."""

    @property
    def dtype(self) -> int: ...
    @property
    def dims(self) -> tuple[int, ...]: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def sparse(self) -> bool: ...
    @property
    def name(self) -> str: ...
    def read_into(self, buffer: Buffer, /) -> None: ...
    def strings(self) -> list[bytes]: ...
    def proto(self) -> bytes: ...

def bind_graphsurgeon(members: dict[str, Any], /) -> None: ...
def import_graphsurgeon(data: Buffer, /) -> Any: ...
def export_graphsurgeon(graph: Any, /) -> tuple[bytes, bool]: ...
def cleanup(
    graph: Any,
    remove_unused_node_outputs: bool,
    recurse_subgraphs: bool,
    remove_unused_graph_inputs: bool,
    recurse_functions: bool,
    /,
) -> None: ...
def toposort(
    graph: Any, recurse_subgraphs: bool, recurse_functions: bool, mode: str, /
) -> None: ...
def copy_graph(graph: Any, tensors: dict[str, Any] | None, /) -> Any: ...
def fold_constants(
    graph: Any,
    fold_shapes: bool,
    recurse_subgraphs: bool,
    partitioning: str | None,
    error_ok: bool,
    flatten_subgraphs: bool,
    size_threshold: int | None,
    should_exclude_node: Callable[[Any], bool] | None,
    recurse_functions: bool,
    tree: str,
    folders: list[str],
    /,
) -> None: ...
def infer_shapes(model: Buffer, log: _Log | None = None, /) -> bytes: ...
def extract_subgraph(model: Buffer, inputs: list[str], outputs: list[str], /) -> bytes: ...
def convert_to_fp16(model: Buffer, log: _Log | None = None, /) -> bytes: ...
def fold_model(
    model: Buffer,
    num_passes: int | None,
    do_shape_inference: bool,
    partitioning: str | None,
    fold_shapes: bool,
    error_ok: bool,
    size_threshold: int | None,
    tree: str,
    folders: list[str],
    on_pass: Callable[[int, int | None, int | None], object],
    log: _Log | None,
    /,
) -> tuple[bytes, str | None]: ...
def load_model(path: str, external_data_dir: str | None = None, /) -> bytes: ...
def save_model(
    model: Buffer, path: str, external_data: str | None, size_threshold: int, one_file: bool, /
) -> None: ...
