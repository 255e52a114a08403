"""Layers and profiles of an engine as text."""

from __future__ import annotations

import json
from typing import List, Optional

from polygraphy import util
from polygraphy.backend.trt._module import trt
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType

# A word in the description of a tensor's format -> the data type. The first match counts: long
# names precede names that are parts of them.
_DTYPES_IN_FORMATS = {
    "bfloat16": DataType.BFLOAT16,
    "bf16": DataType.BFLOAT16,
    "float8e5m2": DataType.FLOAT8E5M2,
    "float8": DataType.FLOAT8E4M3FN,
    "fp8": DataType.FLOAT8E4M3FN,
    "e8m0": DataType.FLOAT8E8M0,
    "float4": DataType.FLOAT4,
    "fp4": DataType.FLOAT4,
    "float16": DataType.FLOAT16,
    "fp16": DataType.FLOAT16,
    "half": DataType.FLOAT16,
    "float": DataType.FLOAT32,
    "fp32": DataType.FLOAT32,
    "uint8": DataType.UINT8,
    "int64": DataType.INT64,
    "int32": DataType.INT32,
    "int16": DataType.INT16,
    "int8": DataType.INT8,
    "int4": DataType.INT4,
    "bool": DataType.BOOL,
}


def _names_and_meta(tensors: List[dict], statistics) -> tuple:
    """The names and metadata of the tensors that the engine inspector lists for a layer."""
    names, meta = [], TensorMetadata()
    for tensor in tensors:
        name = tensor.get("Name", "Unknown")
        # One text up to TensorRT 10, two from 11 on.
        fmt = tensor.get("Format/Datatype") or " ".join(
            filter(None, [tensor.get("Datatype"), tensor.get("Format")])
        )
        found = [dtype for key, dtype in _DTYPES_IN_FORMATS.items() if key in fmt.lower()]
        docstring = f"Format: {fmt}" if fmt and "N/A" not in fmt else None
        values = statistics.get_tensor_statistics(name) if statistics else ""
        if values:
            docstring = docstring + values if docstring else values[2:]
        names.append(name)
        meta.add(name, next(iter(found), None), tensor.get("Dimensions"), docstring=docstring)
    return names, meta


def layers_from_inspector(inspector, num_layers: int) -> List[dict]:
    """The records of an engine inspector about each layer, in order."""
    layers = []
    for index in range(num_layers):
        text = inspector.get_layer_information(index, trt.LayerInformationFormat.JSON)
        try:
            layer = json.loads(text) if text.strip() else ""
        except ValueError:
            layer = text.strip()
        # At a low profiling verbosity, a record is only the name, or empty.
        layers.append(layer if isinstance(layer, dict) else {"Name": layer})
    return layers


def str_from_engine_layer(layer: dict, index: int, show_attrs: Optional[bool], statistics) -> str:
    """A layer of an engine as the inspector describes it."""
    ret = util.str_from_layer(
        "Layer",
        index,
        layer.get("Name", "Unknown"),
        layer.get("LayerType", "Unknown"),
        *_names_and_meta(layer.get("Inputs", []), statistics),
        *_names_and_meta(layer.get("Outputs", []), statistics),
    )
    if show_attrs:
        tactic = layer.get("TacticValue", layer.get("TacticName", "Unknown"))
        attributes = f"Origin = {layer.get('Origin', 'Unknown')}\nTactic = {tactic}"
        ret += util.indent_block(f"---- Attributes ----\n{attributes}") + "\n"
    return ret


def str_from_profiles(engine) -> str:
    names = [engine.get_tensor_name(index) for index in range(engine.num_io_tensors)]
    width = max(map(len, names), default=0) + 8
    num_profiles = engine.num_optimization_profiles
    ret = f"---- {num_profiles} Profile(s) ({len(names)} Tensor(s) Each) ----\n"
    for profile in range(num_profiles):
        ret += f"- Profile: {profile}\n"
        for index, name in enumerate(names):
            is_input = engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT
            kind = "(Input)" if is_input else "(Output)"
            if is_input:
                low, opt, high = engine.get_tensor_profile_shape(name, profile)
                shapes = f"Shapes: min={low}, opt={opt}, max={high}"
            else:
                shapes = f"Shape: {engine.get_tensor_shape(name)}"
            line = f"Tensor: {name:<{width}} {kind:>8}, Index: {index} | {shapes}"
            ret += util.indent_block(line) + "\n"
        ret += "\n"
    return ret
