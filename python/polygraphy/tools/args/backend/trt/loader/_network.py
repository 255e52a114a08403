"""Options of TensorRT's plugins, ONNX parser and networks."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.mod.exporter import _snake_case
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader import OnnxLoadArgs
from polygraphy.tools.args.backend.trt.config import TrtConfigArgs
from polygraphy.tools.args.backend.trt.helper import make_trt_enum_val
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs
from polygraphy.tools.script import Script, inline, inline_identifier, safe

_FROM_ONNX = "NetworkFromOnnxPath"

# Of loaders whose variables in scripts are not called like them.
_VARIABLES = {"ModifyNetworkOutputs": "set_network_outputs"}


def _data_type(name) -> Script.String:
    return inline(safe("trt.{}", inline_identifier(str(name))))


def _formats(names) -> List[Script.String]:
    names = names if isinstance(names, list) else [names]
    return [make_trt_enum_val("TensorFormat", str(name)) for name in names]


def _scripts(texts: List[str]) -> List[Tuple[str, str]]:
    """Paths and functions of texts like `SCRIPT:FUNCTION`."""
    scripts = []
    for text in texts:
        path, function = args_util.parse_script_and_func_name(text, default_func_name="postprocess")
        if not os.path.isfile(path):
            G_LOGGER.warning(f"Could not find postprocessing script {path}")
        scripts.append((path, function))
    return scripts


@mod.export()
class TrtLoadPluginsArgs(TableArgs):
    """TensorRT Plugin Loading: libraries of plugins

    Attributes:
        plugins (List[str]): Paths of libraries
    """

    _BACKEND = "tensorrt"
    _OWN = {"loader": ("LoadPlugins",)}

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Loads the plugins before something else is loaded.

        Args:
            script: The script.
            loader_name: The variable with a loader, or with its result.

        Returns:
            The variable with a loader that does both; `loader_name` if there are no plugins.
        """
        if not self.plugins:
            return loader_name
        arguments = {**self.arguments_of("LoadPlugins"), "obj": loader_name}
        return script.add_backend_loader("trt", "LoadPlugins", "load_plugins", **arguments)


@mod.export()
class TrtOnnxFlagArgs(TableArgs):
    """ONNX-TRT Parser Flags: how TensorRT reads ONNX models

    Depends on:

        - TrtConfigArgs: some configurations need flags
    """

    _BACKEND = "tensorrt"
    _OWN = {"loader": (_FROM_ONNX,), "heading": ("TensorRT Plugins and ONNX Parser",)}

    def _changes(self) -> Dict[str, Row]:
        return {
            # get_flags() makes code of the names.
            "onnx_flags": {"attribute": "_flags", "enumeration": None},
            "plugin_instancenorm": {"attribute": "_plugin_instancenorm"},
            "enable_uint8_asymmetric_quantization_dla": {"attribute": "_uint8_on_dla"},
        }

    def get_flags(self) -> Tuple[Optional[List[Script.String]], Optional[bool]]:
        """The flags of the parser, as code, and whether a plugin implements InstanceNormalization.

        Raises:
            PolygraphyException: If a flag is not an identifier.
        """
        flags = [flag.upper() for flag in self._flags or []]
        if self._uint8_on_dla:
            flag = "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA"
            G_LOGGER.warning(
                "--enable-uint8-asymmetric-quantization-dla is deprecated and will be removed in "
                f"Polygraphy 0.55.0. Use `--onnx-flags {flag}` instead."
            )
            if flag not in flags:
                flags.append(flag)
        config = self.arg_groups[TrtConfigArgs] if TrtConfigArgs in self.arg_groups else None
        if config and (
            config.hardware_compatibility_level is not None or config.version_compatible
        ):
            if "NATIVE_INSTANCENORM" not in flags:
                G_LOGGER.warning(
                    "Version or hardware compatibility mode is enabled. Automatically enabling "
                    "`NATIVE_INSTANCENORM` ONNX parser flag."
                )
                flags.append("NATIVE_INSTANCENORM")
        code = [make_trt_enum_val("OnnxParserFlag", flag) for flag in flags]
        return code or None, self._plugin_instancenorm


@mod.export()
class TrtLoadNetworkArgs(TableArgs):
    """TensorRT Network Loading: TensorRT networks

    Depends on:

        - ModelArgs
        - TrtLoadPluginsArgs
        - OnnxLoadArgs: if `allow_onnx_loading` is True
        - TrtOnnxFlagArgs
        - TrtConfigArgs: for the parser of ONNX models

    Args:
        allow_custom_outputs: Whether options may choose other outputs than the model's.
            True if left out, like all of these.
        allow_onnx_loading: Whether networks are made of ONNX models, not of scripts only.
        allow_tensor_formats: Whether there are options for formats of inputs and outputs.
    """

    _BACKEND = "tensorrt"
    _OWN = {"heading": ("TensorRT Network",)}

    def __init__(
        self,
        allow_custom_outputs: Optional[bool] = None,
        allow_onnx_loading: Optional[bool] = None,
        allow_tensor_formats: Optional[bool] = None,
    ):
        super().__init__()
        self._allow_custom_outputs = util.default(allow_custom_outputs, True)
        self._allow_onnx_loading = util.default(allow_onnx_loading, True)
        self._allow_tensor_formats = util.default(allow_tensor_formats, True)

    def _changes(self) -> Dict[str, Row]:
        outputs = {"offered": self._allow_custom_outputs}
        # _value() reads formats; ModifyNetworkOutputs takes types of layers as texts.
        formats = {"offered": self._allow_tensor_formats, "enumeration": None}
        return {
            "trt_outputs": outputs,
            "trt_exclude_outputs": outputs,
            "trt_outputs_by_type": {**outputs, "enumeration": None},
            "tensor_formats": formats,
            "all_tensor_formats": formats,
            "trt_network_postprocess_script": {"attribute": "postprocess_scripts"},
        }

    def parse_impl(self, args):
        """Sets these attributes; those of TensorRT's types are code:

        Attributes:
            outputs (Union[List[str], str]): Tensors to mark as outputs, or `constants.MARK_ALL`
            exclude_outputs (List[str]): Tensors to exclude from the outputs
            mark_layer_types (List[str]): Types of layers whose tensors become outputs
            layer_precisions (Dict[str, str]): Layer -> type
            decomposable_attentions (bool): Whether to decompose attentions without a fused kernel
            tensor_datatypes (Union[Dict[str, str], str]): Tensor -> type; or one type for all
            tensor_formats (Union[Dict[str, List[str]], List[str]]): Tensor -> formats; or formats
                for all
            postprocess_scripts (List[Tuple[str, str]]): Python files and functions in them
            strongly_typed (bool): Whether the network is strongly typed
            mark_debug (List[str]): Tensors to mark as debug tensors
            mark_unfused_tensors_as_debug_tensors (bool): Whether to mark all unfused tensors

        Raises:
            PolygraphyException: If values cannot be parsed.
        """
        super().parse_impl(args)

    def _value(self, row: Row, args) -> Any:
        key, value = row["key"], super()._value(row, args)
        if key == "trt_outputs":
            return args_util.get_outputs(args, key)
        if key == "trt_network_postprocess_script":
            return _scripts(value or [])
        if value is None:
            return None
        if key in ("layer_precisions", "tensor_dtypes"):
            return self._by_name(value, _data_type)
        if key == "tensor_formats":
            return self._by_name(value, _formats)
        if key == "all_tensor_dtypes":
            return self._of_all(value, _data_type, "datatypes", "types")
        if key == "all_tensor_formats":
            return self._of_all(value, _formats, "formats", "formats")
        return value

    @staticmethod
    def _by_name(texts: List[str], convert) -> dict:
        values = args_util.parse_arglist_to_dict(texts, allow_empty_key=False)
        return {name: convert(value) for name, value in values.items()}

    def _of_all(self, value, convert, option: str, what: str):
        if getattr(self, f"tensor_{option}") is not None:
            G_LOGGER.warning(
                f"Both --all-tensor-{option} and --tensor-{option} were provided. Only {what} in "
                f"--all-tensor-{option} will be applied."
            )
        return convert(value)

    def _add_network(self, script: Script) -> Script.String:
        """The network as the model has it."""
        groups = self.arg_groups
        model = groups[ModelArgs]
        flags, plugin_instancenorm = None, None
        if TrtOnnxFlagArgs in groups:
            flags, plugin_instancenorm = groups[TrtOnnxFlagArgs].get_flags()
        if flags or plugin_instancenorm:
            script.import_trt()
        config = None
        if TrtConfigArgs in groups:
            config = groups[TrtConfigArgs].add_to_script(script, "parser_trt_config")

        if model.model_type == "trt-network-script":
            loader = script.invoke_from_script(model.path, model.extra_model_info)
            return script.add_loader(loader, "load_network")
        if model.model_type is None:
            G_LOGGER.critical("There is no TensorRT network: no model file was provided.")
        if not self._allow_onnx_loading:
            G_LOGGER.critical(f"Model type: {model.model_type} is not a TensorRT network script.")

        onnx = groups[OnnxLoadArgs]
        # TensorRT marks outputs in its network, which knows the types.
        if onnx.must_use_onnx_loader(disable_custom_outputs=True):
            cls = "NetworkFromOnnxBytes"
            script.add_import(imports=[cls], frm="polygraphy.backend.trt")
            obj = onnx.add_to_script(script, disable_custom_outputs=True, serialize_model=True)
        else:
            cls, obj = "NetworkFromOnnxPath", model.path
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        return script.add_backend_loader(
            "trt",
            cls,
            "parse_network_from_onnx",
            obj,
            flags=flags,
            plugin_instancenorm=plugin_instancenorm,
            **self.arguments_of(_FROM_ONNX),
            config=config,
        )

    def add_to_script_impl(self, script: Script) -> Script.String:
        """Adds the network to a script.

        Returns:
            The variable with the loader of the network.

        Raises:
            PolygraphyException: If no network can be made of the model.
        """
        name = self._add_network(script)
        for index, (path, function) in enumerate(self.postprocess_scripts):
            name = script.add_backend_loader(
                "trt",
                "PostprocessNetwork",
                f"postprocess_step_{index}",
                name,
                func=script.invoke_from_script(path, function),
                name=f"{path}:{function}",
            )
        if self.layer_precisions or self.tensor_datatypes or self.tensor_formats:
            script.import_trt()
        for loader in util.unique_list(row["loader"] for row in self.rows()):
            if loader not in (None, _FROM_ONNX):
                name = self._add_change(script, loader, name)
        return name

    def _add_change(self, script: Script, loader: str, name: Script.String) -> Script.String:
        """A loader that changes the network, if the options request it."""
        arguments = self.arguments_of(loader)
        if "outputs" in arguments:
            arguments["outputs"] = args_util.get_outputs_for_script(script, self.outputs)
        variable = _VARIABLES.get(loader) or _snake_case(loader)
        # A loader whose only option is a flag has no further parameter.
        if list(arguments.values()) == [True]:
            return script.add_backend_loader("trt", loader, variable, name)
        return script.add_change("trt", loader, variable, name, **arguments)

    def load_network(self):
        """Makes the network.

        Returns:
            Tuple[trt.Builder, trt.INetworkDefinition, Optional[trt.OnnxParser]]: The network and
                the objects that must outlive it. The caller owns them.
        """
        return args_util.run_script(self.add_to_script)()
