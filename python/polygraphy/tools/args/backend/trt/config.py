"""Options of TensorRT's builder configuration."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

from polygraphy import config, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.trt._profiles import parse_profile_shapes
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs, attribute_of, is_code
from polygraphy.tools.script import (
    Script,
    inline,
    inline_identifier,
    make_invocable,
    make_invocable_if_nondefault,
    safe,
)

# The order of the arguments in the original's scripts, which differs from that of its options.
# Others follow in the order of the table.
_ORDER = (
    "precision_constraints restricted profiles load_timing_cache algorithm_selector sparse_weights "
    "tactic_sources memory_pool_limits refittable strip_plan preview_features engine_capability "
    "direct_io builder_optimization_level hardware_compatibility_level profiling_verbosity "
    "max_aux_streams version_compatible exclude_lean_runtime quantization_flags "
    "error_on_timing_cache_miss disable_compilation_cache weight_streaming runtime_platform "
    "tiling_optimization_level use_gpu compute_capabilities tf32 fp16 bf16 int8 fp8 calibrator "
    "use_dla allow_gpu_fallback"
).split()

# TensorRT-RTX takes types from the network, and has no DLA.
_NOT_OF_RTX = {"tf32", "fp16", "bf16", "int8", "fp8", "calibrator", "use_dla", "allow_gpu_fallback"}


def _place(argument: str) -> int:
    return _ORDER.index(argument) if argument in _ORDER else len(_ORDER)


def _parse_compute_capabilities(texts: List[str]) -> List[Tuple[int, int]]:
    """`["8.6"]` -> `[(8, 6)]`."""
    capabilities = []
    for text in texts:
        major, _, minor = text.partition(".")
        if not (major.isdecimal() and minor.isdecimal()):
            G_LOGGER.critical(
                f"Invalid compute capabilities format: {texts}. Expected format: space-separated "
                "'major.minor' versions (e.g., '7.5 8.0')."
            )
        capabilities.append((int(major), int(minor)))
    return capabilities


# By key, the functions that make values of texts in other ways than the table says.
_PARSERS = {
    "precision_constraints": lambda name: None if name == "none" else name,
    "calib_base_cls": lambda name: inline(safe("trt.{}", inline_identifier(name))),
    "compute_capabilities": _parse_compute_capabilities,
}


@mod.export()
class TrtConfigArgs(TableArgs):
    """TensorRT Builder Configuration: how TensorRT builds engines

    Depends on:

        - DataLoaderArgs: for the calibration of int8
        - ModelArgs: if `allow_custom_input_shapes` is True

    Args:
        precision_constraints_default: The default of --precision-constraints. `"none"` if left
            out.
        allow_random_data_calib_warning: Whether to warn of calibration with random inputs. True if
            left out.
        allow_custom_input_shapes: Whether the shapes of the model's options make a profile. True
            if left out.
        allow_engine_capability: Whether there is an option for the engine's capability. False if
            left out.
        allow_tensor_formats: Whether there are options for formats of inputs and outputs. True if
            left out.
        allow_compute_capabilities: Whether there are options for the GPUs to build for, where
            TensorRT-RTX is used. False if left out.
    """

    _BACKEND = "tensorrt"
    _OWN = {"heading": ("TensorRT Builder Configuration",)}

    def __init__(
        self,
        precision_constraints_default: Optional[bool] = None,
        allow_random_data_calib_warning: Optional[bool] = None,
        allow_custom_input_shapes: Optional[bool] = None,
        allow_engine_capability: Optional[bool] = None,
        allow_tensor_formats: Optional[bool] = None,
        allow_compute_capabilities: Optional[bool] = None,
    ):
        super().__init__()
        self._precision_constraints_default = util.default(precision_constraints_default, "none")
        self._allow_random_data_calib_warning = util.default(allow_random_data_calib_warning, True)
        self._allow_custom_input_shapes = util.default(allow_custom_input_shapes, True)
        self._allow_engine_capability = util.default(allow_engine_capability, False)
        self._allow_tensor_formats = util.default(allow_tensor_formats, True)
        self._allow_compute_capabilities = util.default(allow_compute_capabilities, False)

    def _changes(self) -> Dict[str, Row]:
        for_gpus = self._allow_compute_capabilities and config.USE_TENSORRT_RTX
        base_class = "calibration_base_class"
        return {
            "trt_min_shapes": {"attribute": "_min_shapes"},
            "trt_opt_shapes": {"attribute": "_opt_shapes"},
            "trt_max_shapes": {"attribute": "_max_shapes"},
            "precision_constraints": {"default": self._precision_constraints_default},
            "calibration_cache": {"attribute": "calibration_cache"},
            "calib_base_cls": {"dest": base_class, "attribute": base_class},
            "quantile": {"attribute": "_quantile"},
            "regression_cutoff": {"attribute": "_regression_cutoff"},
            "save_tactics": {"attribute": "save_tactics"},
            "load_tactics": {"attribute": "load_tactics"},
            "trt_safety_restricted": {"dest": "restricted"},
            "pool_limit": {"dest": "memory_pool_limit"},
            "engine_capability": {"offered": self._allow_engine_capability},
            "direct_io": {"offered": self._allow_tensor_formats},
            "use_gpu": {"offered": for_gpus, "missing": False},
            "compute_capabilities": {"offered": for_gpus},
        }

    def parse_impl(self, args):
        """Sets these attributes; those of TensorRT's types are code:

        Attributes:
            profile_dicts (List[Dict[str, Tuple[List[int]]]]): For each profile, input -> minimum,
                optimum and maximum shape
            tf32 (bool): Whether layers may use TF32
            fp16 (bool): Whether layers may use float16
            bf16 (bool): Whether layers may use bfloat16
            fp8 (bool): Whether layers may use floats of 8 bits
            int8 (bool): Whether layers may use int8
            precision_constraints (str): `"prefer"`, `"obey"` or None
            restricted (bool): Whether the engine must suit the safety runtime
            calibration_cache (str): File of calibration scales
            calibration_base_class (str): The calibrator's class
            sparse_weights (bool): Whether kernels may exploit sparse weights
            load_timing_cache (str): Timing cache to start from
            load_tactics (str): File of algorithms to replay
            save_tactics (str): File to save the chosen algorithms to
            tactic_sources (List[str]): Libraries of algorithms
            trt_config_script (str): Python file with a function that makes the configuration
            trt_config_func_name (str): The function
            trt_config_postprocess_script (str): Python file with a function that completes it
            trt_config_postprocess_func_name (str): The function
            use_dla (bool): Whether layers run on DLA
            allow_gpu_fallback (bool): Whether layers that DLA does not support run on the GPU
            memory_pool_limits (Dict[str, int]): Pool -> bytes
            engine_capability (str): Capability of the engine
            refittable (bool): Whether weights can be replaced after the build
            strip_plan (bool): Whether the engine lacks such weights
            preview_features (List[str]): Preview features to enable
            builder_optimization_level (int): Effort of the search for a fast engine
            hardware_compatibility_level (str): Compatibility with other GPUs
            direct_io (bool): Whether inputs and outputs keep their formats
            profiling_verbosity (str): Layer details kept in the engine
            max_aux_streams (int): Maximum number of auxiliary streams
            version_compatible (bool): Whether later versions of TensorRT can load the engine
            exclude_lean_runtime (bool): Whether the engine lacks the lean runtime
            quantization_flags (List[str]): Flags of int8 calibration
            error_on_timing_cache_miss (bool): Whether the timing cache must have all layers
            disable_compilation_cache (bool): Whether the timing cache lacks compiled code
            weight_streaming (bool): Whether weights may be streamed from host memory
            runtime_platform (str): Platform that the engine runs on
            tiling_optimization_level (str): Effort of tiling
            compute_capabilities (List[Tuple[int, int]]): Of the GPUs to build for
            use_gpu (bool): Whether to build for the GPU of this machine

        Raises:
            PolygraphyException: If values are invalid, or exclude each other.
        """
        self.profile_dicts = self._parse_profiles(args)
        super().parse_impl(args)
        self.trt_config_script, self.trt_config_func_name = args_util.parse_script_and_func_name(
            self.trt_config_script, default_func_name="load_config"
        )
        self.trt_config_postprocess_script, self.trt_config_postprocess_func_name = (
            args_util.parse_script_and_func_name(
                self.trt_config_postprocess_script, default_func_name="postprocess_config"
            )
        )
        if self.exclude_lean_runtime and not self.version_compatible:
            G_LOGGER.critical(
                "`--exclude-lean-runtime` requires `--version-compatible` to be enabled."
            )

    def _parse_profiles(self, args) -> List[dict]:
        shapes = TensorMetadata()
        if self._allow_custom_input_shapes and ModelArgs in self.arg_groups:
            shapes = self.arg_groups[ModelArgs].input_shapes
        given = (
            args_util.get(args, f"trt_{kind}_shapes", default=[]) for kind in ("min", "opt", "max")
        )
        return parse_profile_shapes(shapes, *given)

    def _value(self, row: Row, args) -> Any:
        value = super()._value(row, args)
        parse = _PARSERS.get(row["key"])
        return value if value is None or parse is None else parse(value)

    def _add_profiles(self, script: Script) -> Optional[Script.String]:
        if not self.profile_dicts:
            return None
        script.add_import(imports=["Profile"], frm="polygraphy.backend.trt")
        profiles = []
        for profile in self.profile_dicts:
            text = "Profile()"
            for name, (minimum, optimum, maximum) in profile.items():
                add = make_invocable("add", name, min=minimum, opt=optimum, max=maximum)
                text += f".{add}"
            profiles.append(text)
        code = "[\n    " + ",\n    ".join(profiles) + "\n]"
        return script.add_loader(Script.String(code, safe=True, inline=True), "profiles")

    def _add_calibrator(self, script: Script) -> Optional[Script.String]:
        if not self.int8:
            if (self.calibration_cache, self.calibration_base_class) != (None, None):
                G_LOGGER.warning(
                    "Some int8 calibrator options were set, but int8 precision is not enabled. "
                    "Calibration options will be ignored. Please set --int8 to enable calibration. "
                )
            return None
        script.add_import(imports=["Calibrator"], frm="polygraphy.backend.trt")
        script.add_import(imports=["DataLoader"], frm="polygraphy.comparator")
        inputs, is_random = None, True
        if DataLoaderArgs in self.arg_groups:
            loader = self.arg_groups[DataLoaderArgs]
            inputs, is_random = loader.add_to_script(script), loader.is_using_random_data()
        has_cache = self.calibration_cache and os.path.exists(self.calibration_cache)
        if self._allow_random_data_calib_warning and is_random and not has_cache:
            G_LOGGER.warning(
                "Int8 Calibration is using randomly generated input data.\nThis could negatively "
                "impact accuracy if the inference-time input data is dissimilar to the randomly "
                "generated calibration data.\nYou may want to consider providing real data via the "
                "--data-loader-script option."
            )
        return make_invocable(
            "Calibrator",
            data_loader=inputs or make_invocable("DataLoader"),
            **self.arguments_of("Calibrator"),
        )

    def _add_tactics(self, script: Script) -> Optional[Script.String]:
        for loader in ("TacticReplayer", "TacticRecorder"):
            arguments = self.arguments_of(loader)
            if any(path is not None for path in arguments.values()):
                script.add_import(imports=[loader], frm="polygraphy.backend.trt")
                return make_invocable(loader, **arguments)
        return None

    def _arguments(self, script: Script) -> Dict[str, Any]:
        """Of CreateConfig, by name; None for defaults."""
        arguments = {
            "profiles": self._add_profiles(script),
            "calibrator": self._add_calibrator(script),
            "algorithm_selector": self._add_tactics(script),
        }
        if config.USE_TENSORRT_RTX:
            arguments.update(self.arguments_of("CreateConfig", "CreateConfigRTX"))
            arguments = {n: value for n, value in arguments.items() if n not in _NOT_OF_RTX}
        else:
            arguments.update(self.arguments_of("CreateConfig"))
        return dict(sorted(arguments.items(), key=lambda item: _place(item[0])))

    def _uses_trt(self) -> bool:
        """Whether the script needs to import TensorRT."""
        code = [row for row in self.rows() if is_code(row) or row["loader"] == "CreateConfigRTX"]
        return any(getattr(self, attribute_of(row)) is not None for row in code) or bool(
            self.int8 and self.calibration_base_class is not None
        )

    def add_to_script_impl(
        self, script: Script, custom_loader_name: Optional[str] = None
    ) -> Optional[Script.String]:
        """Adds the configuration to a script.

        Args:
            script: The script.
            custom_loader_name: A name for the variable. With it, defaults get a loader, too.

        Returns:
            The variable with the loader of the configuration; None for the default one.
        """
        if self._uses_trt():
            script.import_trt()
        arguments = self._arguments(script)
        if self.trt_config_script is not None:
            loader = script.invoke_from_script(self.trt_config_script, self.trt_config_func_name)
        else:
            loader = self._create_config(script, arguments, custom_loader_name is not None)
        if loader is None:
            return None
        name = script.add_loader(loader, util.default(custom_loader_name, "create_trt_config"))
        if self.trt_config_postprocess_script is None:
            return name
        script.add_import(
            imports="PostprocessConfig", frm="polygraphy.backend.trt", imp_as="PostprocessTrtConfig"
        )
        function = script.invoke_from_script(
            self.trt_config_postprocess_script, self.trt_config_postprocess_func_name
        )
        loader = make_invocable("PostprocessTrtConfig", name, func=function)
        return script.add_loader(loader, "postprocess_trt_config")

    def _create_config(
        self, script: Script, arguments: dict, is_needed: bool
    ) -> Optional[Script.String]:
        if config.USE_TENSORRT_RTX:
            cls, module = "CreateConfigRTX", "polygraphy.backend.tensorrt_rtx"
            is_needed = True
        else:
            cls, module = "CreateConfig", "polygraphy.backend.trt"
        name = cls.replace("Create", "CreateTrt")
        if is_needed or self.trt_config_postprocess_script is not None:
            loader = make_invocable(name, **arguments)
        else:
            loader = make_invocable_if_nondefault(name, **arguments)
        if loader is not None:
            script.add_import(imports=cls, frm=module, imp_as=name)
        return loader

    def create_config(self, builder, network):
        """Makes the configuration.

        Args:
            builder: trt.Builder.
            network: trt.INetworkDefinition.

        Returns:
            trt.IBuilderConfig: The configuration, which the caller owns.
        """

        def add_config(script):
            return self.add_to_script(script, "create_trt_config")

        return args_util.run_script(add_config)(builder, network)
