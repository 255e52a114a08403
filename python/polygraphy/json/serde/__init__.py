"""JSON with Polygraphy's own types, and with those that users register."""

from polygraphy import mod
from polygraphy.json.serde import _registry
from polygraphy.json.serde._files import *
from polygraphy.json.serde._files import (
    ITERATION_FILE_INDEX_WIDTH,
    IterationWriter,
    is_single_file,
    iterate_from_files,
    iterate_json_list,
    list_iteration_files,
)
from polygraphy.json.serde._registry import *
from polygraphy.json.serde._registry import (
    BaseCustomImpl,
    legacy_str_from_type,
    register_fields,
    str_from_type,
    try_register_common_json,
)

mod.export_parts()


def __getattr__(name: str):
    if name.endswith("_REGISTRATION_SUCCESS"):  # whether the types are registered by now
        return getattr(_registry, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
