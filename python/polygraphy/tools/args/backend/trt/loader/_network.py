"""Options of TensorRT's plugins, networks and engines."""

from __future__ import annotations

import os
from typing import List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.mod.trt_importer import tensorrt_module_and_version_string
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader import OnnxLoadArgs
from polygraphy.tools.args.backend.trt.config import TrtConfigArgs
from polygraphy.tools.args.backend.trt.helper import make_trt_enum_val
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.script import (
    Script,
    inline,
    inline_identifier,
    make_invocable,
    safe,
)


def _import_trt(script: Script) -> None:
    script.add_import(imports=tensorrt_module_and_version_string(), imp_as="trt")


def _data_type(name) -> Script.String:
    return inline(safe("trt.{}", inline_identifier(str(name))))


def _add_loader(script: Script, cls: str, variable: str, obj, /, **kwargs) -> Script.String:
    """Adds a loader of TensorRT's that works on another one, or on what that returns."""
    script.add_import(imports=[cls], frm="polygraphy.backend.trt")
    return script.add_loader(make_invocable(cls, obj, **kwargs), variable)


def _add_change(script: Script, cls: str, variable: str, obj, /, **kwargs) -> Script.String:
    """The same; the other loader stays as it is if all named arguments are None."""
    if all(value is None for value in kwargs.values()):
        return obj
    return _add_loader(script, cls, variable, obj, **kwargs)


@mod.export()
class TrtLoadPluginsArgs(BaseArgs):
    """TensorRT Plugin Loading: libraries of plugins"""

    def add_parser_args_impl(self):
        self.group.add_argument(
            "--plugins", nargs="+", default=None, help="Libraries of plugins to load."
        )

    def parse_impl(self, args):
        """Sets this attribute:

        Attributes:
            plugins (List[str]): Paths of libraries
        """
        self.plugins = args_util.get(args, "plugins")

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Loads the plugins before something else is loaded.

        Args:
            script: The script.
            loader_name: The variable with a loader, or what it returns.

        Returns:
            The variable with a loader that does both; `loader_name` if there are no plugins.
        """
        if not self.plugins:
            return loader_name
        loader = make_invocable("LoadPlugins", plugins=self.plugins, obj=loader_name)
        script.add_import(imports=["LoadPlugins"], frm="polygraphy.backend.trt")
        return script.add_loader(loader, "load_plugins")


@mod.export()
class TrtOnnxFlagArgs(BaseArgs):
    """ONNX-TRT Parser Flags: how TensorRT reads ONNX models

    Uses TrtConfigArgs: some configurations need flags.
    """

    def add_parser_args_impl(self):
        add = self.group.add_argument
        add(
            "--onnx-flags",
            nargs="+",
            default=None,
            help="How TensorRT's ONNX parser reads the model: native_instancenorm.",
        )
        add(
            "--plugin-instancenorm",
            action="store_true",
            default=None,
            help="Let a plugin do InstanceNormalization.",
        )
        add(
            "--enable-uint8-asymmetric-quantization-dla",
            action="store_true",
            default=None,
            help="Let the ONNX parser take asymmetric quantization and uint8, for DLA.",
        )

    def parse_impl(self, args):
        """Keeps the options for `get_flags`."""
        self._flags = args_util.get(args, "onnx_flags")
        self._plugin_instancenorm = args_util.get(args, "plugin_instancenorm")
        self._uint8_on_dla = args_util.get(args, "enable_uint8_asymmetric_quantization_dla")

    def get_flags(self) -> Tuple[Optional[List[Script.String]], Optional[bool]]:
        """The flags of the parser, as code, and whether a plugin does InstanceNormalization.

        Raises:
            PolygraphyException: If a flag is no name.
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
class TrtLoadNetworkArgs(BaseArgs):
    """TensorRT Network Loading: TensorRT networks

    Needs ModelArgs and, if `allow_onnx_loading` is True, OnnxLoadArgs. Uses TrtOnnxFlagArgs,
    TrtLoadPluginsArgs, and TrtConfigArgs for the parser of ONNX models.

    Args:
        allow_custom_outputs: Whether there are options for other outputs than those of the model.
            True if left out, like all of these.
        allow_onnx_loading: Whether networks are made of ONNX models, not of scripts only.
        allow_tensor_formats: Whether there are options for formats of inputs and outputs.
    """

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

    def add_parser_args_impl(self):
        add = self.group.add_argument
        if self._allow_custom_outputs:
            add(
                "--trt-outputs",
                nargs="+",
                default=None,
                help="Tensors to become outputs, by name or pattern; '*' for all.",
            )
            add(
                "--trt-exclude-outputs",
                nargs="+",
                default=None,
                help="Tensors that shall be no outputs.",
            )
            add(
                "--trt-outputs-by-type",
                nargs="+",
                default=None,
                help="Types of layers whose tensors become outputs: CONVOLUTION.",
            )
        self._add_layer_and_tensor_options()
        self._add_network_options()

    def _add_layer_and_tensor_options(self) -> None:
        add = self.group.add_argument
        add(
            "--layer-precisions",
            nargs="+",
            default=None,
            help="Types that layers compute in: conv:float16.",
        )
        add(
            "--decomposable-attentions",
            action="store_true",
            default=None,
            help="Let attentions without a fused kernel fall into parts.",
        )
        add(
            "--tensor-dtypes",
            "--tensor-datatypes",
            nargs="+",
            default=None,
            dest="tensor_dtypes",
            help="Types of inputs and outputs: x:float16.",
        )
        add(
            "--all-tensor-dtypes",
            "--all-tensor-datatypes",
            default=None,
            dest="all_tensor_dtypes",
            help="The type of all inputs and outputs.",
        )
        if self._allow_tensor_formats:
            add(
                "--tensor-formats",
                nargs="+",
                default=None,
                help="Formats of inputs and outputs: x:[linear,chw4].",
            )
            add(
                "--all-tensor-formats",
                nargs="+",
                default=None,
                help="Formats of all inputs and outputs.",
            )

    def _add_network_options(self) -> None:
        add = self.group.add_argument
        add(
            "--trt-network-postprocess-script",
            "--trt-npps",
            nargs="+",
            default=None,
            help="Functions that complete the network, as SCRIPT[:FUNCTION], in this order. "
            "Default function: postprocess.",
        )
        add(
            "--strongly-typed",
            action="store_true",
            default=None,
            help="Take types from the network, not from the builder's choice.",
        )
        add(
            "--mark-debug",
            nargs="+",
            default=None,
            help="Tensors to be seen by debug listeners.",
        )
        add(
            "--mark-unfused-tensors-as-debug-tensors",
            action="store_true",
            default=None,
            help="The same for all tensors that are not fused away.",
        )

    def parse_impl(self, args):
        """Sets these attributes; those of TensorRT's types are code:

        Attributes:
            outputs (Union[List[str], str]): Tensors to become outputs, or `constants.MARK_ALL`
            exclude_outputs (List[str]): Tensors that shall be no outputs
            mark_layer_types (List[str]): Types of layers whose tensors become outputs
            layer_precisions (Dict[str, str]): Layer -> type
            decomposable_attentions (bool): Whether attentions may fall into parts
            tensor_datatypes (Union[Dict[str, str], str]): Tensor -> type; or one type for all
            tensor_formats (Union[Dict[str, List[str]], List[str]]): Tensor -> formats; or formats
                for all
            postprocess_scripts (List[Tuple[str, str]]): Python files and functions in them
            strongly_typed (bool): Whether types come from the network
            mark_debug (List[str]): Tensors for debug listeners
            mark_unfused_tensors_as_debug_tensors (bool): Whether these are all that are left

        Raises:
            PolygraphyException: If values cannot be parsed.
        """
        self.outputs = args_util.get_outputs(args, "trt_outputs")
        self.exclude_outputs = args_util.get(args, "trt_exclude_outputs")
        self.mark_layer_types = args_util.get(args, "trt_outputs_by_type")
        self.layer_precisions = self._parse_by_name(args, "layer_precisions", _data_type)
        self.decomposable_attentions = args_util.get(args, "decomposable_attentions")
        self.tensor_datatypes = self._parse_types(args)
        self.tensor_formats = self._parse_formats(args)
        self.postprocess_scripts = self._parse_scripts(
            args_util.get(args, "trt_network_postprocess_script") or []
        )
        self.strongly_typed = args_util.get(args, "strongly_typed")
        self.mark_debug = args_util.get(args, "mark_debug")
        self.mark_unfused_tensors_as_debug_tensors = args_util.get(
            args, "mark_unfused_tensors_as_debug_tensors"
        )

    @staticmethod
    def _parse_by_name(args, option: str, convert) -> Optional[dict]:
        values = args_util.parse_arglist_to_dict(args_util.get(args, option), allow_empty_key=False)
        return values and {name: convert(value) for name, value in values.items()}

    def _parse_types(self, args):
        by_name = self._parse_by_name(args, "tensor_dtypes", _data_type)
        of_all = args_util.get(args, "all_tensor_dtypes")
        if of_all is None:
            return by_name
        if by_name is not None:
            G_LOGGER.warning(
                "Both --all-tensor-datatypes and --tensor-datatypes were provided. Only types in "
                "--all-tensor-datatypes will be applied."
            )
        return _data_type(of_all)

    def _parse_formats(self, args):
        def formats(names) -> list:
            names = names if isinstance(names, list) else [names]
            return [make_trt_enum_val("TensorFormat", str(name)) for name in names]

        by_name = self._parse_by_name(args, "tensor_formats", formats)
        of_all = args_util.get(args, "all_tensor_formats")
        if of_all is None:
            return by_name
        if by_name is not None:
            G_LOGGER.warning(
                "Both --all-tensor-formats and --tensor-formats were provided. Only formats in "
                "--all-tensor-formats will be applied."
            )
        return formats(of_all)

    @staticmethod
    def _parse_scripts(texts: List[str]) -> List[Tuple[str, str]]:
        scripts = []
        for text in texts:
            path, function = args_util.parse_script_and_func_name(
                text, default_func_name="postprocess"
            )
            if not os.path.isfile(path):
                G_LOGGER.warning(f"Could not find postprocessing script {path}")
            scripts.append((path, function))
        return scripts

    def _add_network(self, script: Script) -> Script.String:
        """The network as the model has it."""
        groups = self.arg_groups
        model = groups[ModelArgs]
        flags, plugin_instancenorm = None, None
        if TrtOnnxFlagArgs in groups:
            flags, plugin_instancenorm = groups[TrtOnnxFlagArgs].get_flags()
        if flags or plugin_instancenorm:
            _import_trt(script)
        config = None
        if TrtConfigArgs in groups:
            config = groups[TrtConfigArgs].add_to_script(script, "parser_trt_config")

        if model.model_type == "trt-network-script":
            script.add_import(imports=["InvokeFromScript"], frm="polygraphy.backend.common")
            loader = make_invocable("InvokeFromScript", model.path, name=model.extra_model_info)
            return script.add_loader(loader, "load_network")
        if model.model_type is None:
            G_LOGGER.critical("There is no TensorRT network: no model file was provided.")
        if not self._allow_onnx_loading:
            G_LOGGER.critical(f"Model type: {model.model_type} is no TensorRT network script.")

        onnx = groups[OnnxLoadArgs]
        # What becomes an output is marked in the network, where types are known.
        if onnx.must_use_onnx_loader(disable_custom_outputs=True):
            cls = "NetworkFromOnnxBytes"
            script.add_import(imports=[cls], frm="polygraphy.backend.trt")
            obj = onnx.add_to_script(script, disable_custom_outputs=True, serialize_model=True)
        else:
            cls, obj = "NetworkFromOnnxPath", model.path
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        return _add_loader(
            script,
            cls,
            "parse_network_from_onnx",
            obj,
            flags=flags,
            plugin_instancenorm=plugin_instancenorm,
            strongly_typed=self.strongly_typed,
            mark_unfused_tensors_as_debug_tensors=self.mark_unfused_tensors_as_debug_tensors,
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
            script.add_import(imports=["InvokeFromScript"], frm="polygraphy.backend.common")
            name = _add_loader(
                script,
                "PostprocessNetwork",
                f"postprocess_step_{index}",
                name,
                func=make_invocable("InvokeFromScript", path, name=function),
                name=f"{path}:{function}",
            )
        if self.layer_precisions or self.tensor_datatypes or self.tensor_formats:
            _import_trt(script)
        name = _add_change(
            script,
            "ModifyNetworkOutputs",
            "set_network_outputs",
            name,
            outputs=args_util.get_outputs_for_script(script, self.outputs),
            exclude_outputs=self.exclude_outputs,
            mark_layer_types=self.mark_layer_types,
        )
        name = _add_change(
            script,
            "SetLayerPrecisions",
            "set_layer_precisions",
            name,
            layer_precisions=self.layer_precisions,
        )
        if self.decomposable_attentions:
            name = _add_loader(
                script, "SetDecomposableAttentions", "set_decomposable_attentions", name
            )
        name = _add_change(
            script,
            "SetTensorDatatypes",
            "set_tensor_datatypes",
            name,
            tensor_datatypes=self.tensor_datatypes,
        )
        name = _add_change(
            script,
            "SetTensorFormats",
            "set_tensor_formats",
            name,
            tensor_formats=self.tensor_formats,
        )
        return _add_change(script, "MarkDebug", "mark_debug", name, mark_debug=self.mark_debug)

    def load_network(self):
        """Makes the network.

        Returns:
            Tuple[trt.Builder, trt.INetworkDefinition, Optional[trt.OnnxParser]]: The network, with
                what has to live as long. The caller owns them.
        """
        return args_util.run_script(self.add_to_script)()


@mod.export()
class TrtSaveEngineBytesArgs(BaseArgs):
    """TensorRT Engine Saving: where engines are saved

    Args:
        output_opt: The option, without dashes. False: there is none. `"output"` if left out.
        output_short_opt: Its short form, with a dash. False: there is none. `"-o"` if left out.
    """

    def __init__(self, output_opt: Optional[str] = None, output_short_opt: Optional[str] = None):
        super().__init__()
        self._output_opt = util.default(output_opt, "output")
        self._output_short_opt = util.default(output_short_opt, "-o")

    def add_parser_args_impl(self):
        if not self._output_opt:
            return
        names = [self._output_short_opt] if self._output_short_opt else []
        self.group.add_argument(
            *names,
            f"--{self._output_opt}",
            default=None,
            dest="save_engine",
            help="Where to save the engine.",
        )

    def parse_impl(self, args):
        """Sets this attribute:

        Attributes:
            path (str): Where the engine is saved
        """
        self.path = args_util.get(args, "save_engine")

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Saves an engine, if there is a path.

        Args:
            script: The script.
            loader_name: The variable with a loader of the engine's bytes.

        Returns:
            The variable with a loader that saves them, too; `loader_name` if there is no path.
        """
        if self.path is None:
            return loader_name
        script.add_import(imports=["SaveBytes"], frm="polygraphy.backend.common")
        loader = make_invocable("SaveBytes", loader_name, path=self.path)
        return script.add_loader(loader, "save_engine_bytes")

    def save_engine_bytes(self, engine_bytes, path: Optional[str] = None):
        """Saves an engine, if there is a path.

        Args:
            engine_bytes: The engine's bytes, or a function that returns them.
            path: Where to save it, in place of the option.

        Returns:
            bytes: The engine's bytes.
        """
        from polygraphy.backend.common import save_bytes

        path = util.default(path, self.path)
        if path is None:
            return util.invoke_if_callable(engine_bytes)[0]
        return save_bytes(engine_bytes, path)


@mod.export()
@mod.deprecate(remove_in="0.55.0", use_instead="TrtSaveEngineBytesArgs")
class TrtSaveEngineArgs(BaseArgs):
    """TensorRT Engine Saving: where engines are saved

    Needs TrtSaveEngineBytesArgs, which has the option.
    """

    @property
    def path(self) -> Optional[str]:
        """str: Where the engine is saved"""
        return self.arg_groups[TrtSaveEngineBytesArgs].path

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Saves an engine, if there is a path.

        Args:
            script: The script.
            loader_name: The variable with a loader of the engine.

        Returns:
            The variable with a loader that saves it, too; `loader_name` if there is no path.
        """
        return _add_change(script, "SaveEngine", "save_engine", loader_name, path=self.path)

    def save_engine(self, engine, path: Optional[str] = None):
        """Saves an engine, if there is a path.

        Args:
            engine: trt.ICudaEngine, or a function that returns one.
            path: Where to save it, in place of the option.

        Returns:
            trt.ICudaEngine: The engine.
        """
        path = util.default(path, self.path)
        if path is None:
            return util.invoke_if_callable(engine)[0]

        from polygraphy.backend.trt import save_engine

        return save_engine(engine, path)


@mod.export()
class TrtLoadEngineBytesArgs(BaseArgs):
    """TensorRT Engine: loading or building engines

    Needs ModelArgs. Uses TrtLoadPluginsArgs, TrtLoadNetworkArgs and TrtConfigArgs where engines
    are built, and TrtSaveEngineBytesArgs, if `allow_saving` is True.

    Args:
        allow_saving: Whether engines that are built may be saved. False if left out.
    """

    def __init__(self, allow_saving: Optional[bool] = None):
        super().__init__()
        self._allow_saving = util.default(allow_saving, False)

    def add_parser_args_impl(self):
        self.group.add_argument(
            "--save-timing-cache",
            default=None,
            help="Where to save the timings of layers; what the file has is kept.",
        )

    def parse_impl(self, args):
        """Sets this attribute:

        Attributes:
            save_timing_cache (str): Where timings of layers are saved
        """
        self.save_timing_cache = args_util.get(args, "save_timing_cache")

    def add_to_script_impl(
        self, script: Script, network_name: Optional[str] = None
    ) -> Script.String:
        """Adds an engine to a script: one that is read or, if the model is none, one that is built.

        Args:
            script: The script.
            network_name: The variable with a loader of the network, in place of the model's.

        Returns:
            The variable with a loader of the engine's bytes.
        """
        groups = self.arg_groups
        model = groups[ModelArgs]
        if model.model_type == "engine":
            script.add_import(imports=["BytesFromPath"], frm="polygraphy.backend.common")
            loader = make_invocable("BytesFromPath", model.path)
            return script.add_loader(loader, "load_engine_bytes")

        obj = network_name
        if obj is None:
            obj = groups[TrtLoadNetworkArgs].add_to_script(script)
        config = None
        if TrtConfigArgs in groups:
            config = groups[TrtConfigArgs].add_to_script(script)
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        name = _add_loader(
            script,
            "EngineBytesFromNetwork",
            "build_engine",
            obj,
            config=config,
            save_timing_cache=self.save_timing_cache,
        )
        if self._allow_saving and TrtSaveEngineBytesArgs in groups:
            name = groups[TrtSaveEngineBytesArgs].add_to_script(script, name)
        return name

    def load_engine_bytes(self, network=None):
        """Reads or builds the engine.

        Args:
            network: Tuple[trt.Builder, trt.INetworkDefinition, Optional[trt.OnnxParser]], or a
                function that returns these: the network to build, in place of the model's.

        Returns:
            bytes: The engine. What TensorRT built is `trt.IHostMemory`.
        """
        return args_util.run_script(self.add_to_script, network)()


@mod.export()
class TrtLoadEngineArgs(BaseArgs):
    """TensorRT Engine: loading engines

    Needs TrtLoadEngineBytesArgs. Uses TrtLoadPluginsArgs.
    """

    @property
    def save_timing_cache(self) -> Optional[str]:
        """str: Where timings of layers are saved"""
        return self.arg_groups[TrtLoadEngineBytesArgs].save_timing_cache

    def add_parser_args_impl(self):
        add = self.group.add_argument
        add(
            "--load-runtime",
            default=None,
            help="A library of the runtime for engines without a lean runtime of their own.",
        )
        add(
            "--dla-workspace-allocation-strategy",
            default=None,
            help="How DLA takes its memory: default, shared_static (from TensorRT 11.3 on).",
        )

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            load_runtime (str): A library of a runtime
            dla_workspace_allocation_strategy (str): Code of how DLA takes its memory
        """
        self.load_runtime = args_util.parse_path(args_util.get(args, "load_runtime"), "Runtime")
        strategy = args_util.get(args, "dla_workspace_allocation_strategy")
        self.dla_workspace_allocation_strategy = (
            None
            if strategy is None
            else make_trt_enum_val("DLAWorkspaceAllocationStrategy", strategy)
        )

    def add_to_script_impl(
        self, script: Script, network_name: Optional[str] = None
    ) -> Script.String:
        """Adds an engine to a script.

        Args:
            script: The script.
            network_name: The variable with a loader of the network, in place of the model's.

        Returns:
            The variable with a loader of the engine.
        """
        groups = self.arg_groups
        obj = groups[TrtLoadEngineBytesArgs].add_to_script(script, network_name)
        runtime = None
        if self.load_runtime is not None:
            script.add_import(imports=["LoadRuntime"], frm="polygraphy.backend.trt")
            runtime = script.add_loader(
                make_invocable("LoadRuntime", self.load_runtime), "load_runtime"
            )
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        if self.dla_workspace_allocation_strategy is not None:
            _import_trt(script)
        return _add_loader(
            script,
            "EngineFromBytes",
            "deserialize_engine",
            obj,
            runtime=runtime,
            dla_workspace_allocation_strategy=self.dla_workspace_allocation_strategy,
        )

    def load_engine(self, network=None):
        """Reads or builds the engine.

        Args:
            network: As of `TrtLoadEngineBytesArgs.load_engine_bytes`.

        Returns:
            trt.ICudaEngine: The engine, which the caller owns.
        """
        return args_util.run_script(self.add_to_script, network)()
