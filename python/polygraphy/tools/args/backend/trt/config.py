"""Options of TensorRT's builder configuration."""

from __future__ import annotations

import copy
import os
from typing import Any, Dict, List, Optional, Tuple

from polygraphy import config, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod.trt_importer import tensorrt_module_and_version_string
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.trt.helper import make_trt_enum_val
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.script import (
    Script,
    inline,
    inline_identifier,
    make_invocable,
    make_invocable_if_nondefault,
    safe,
)

# Of CreateConfig, in the order in which scripts have them. Those that are not made from several
# options are attributes.
_ARGUMENTS = (
    "precision_constraints",
    "restricted",
    "profiles",
    "load_timing_cache",
    "algorithm_selector",
    "sparse_weights",
    "tactic_sources",
    "memory_pool_limits",
    "refittable",
    "strip_plan",
    "preview_features",
    "engine_capability",
    "direct_io",
    "builder_optimization_level",
    "hardware_compatibility_level",
    "profiling_verbosity",
    "max_aux_streams",
    "version_compatible",
    "exclude_lean_runtime",
    "quantization_flags",
    "error_on_timing_cache_miss",
    "disable_compilation_cache",
    "weight_streaming",
    "runtime_platform",
    "tiling_optimization_level",
)
_ARGUMENTS_OF_TRT = (
    "tf32",
    "fp16",
    "bf16",
    "int8",
    "fp8",
    "calibrator",
    "use_dla",
    "allow_gpu_fallback",
)
# It takes types from the network, and has no DLA.
_ARGUMENTS_OF_RTX = ("use_gpu", "compute_capabilities")

# Attributes for which scripts import TensorRT. Of these, use_gpu is always there without
# TensorRT-RTX.
_USE_TRT = (
    "tactic_sources",
    "memory_pool_limits",
    "preview_features",
    "engine_capability",
    "hardware_compatibility_level",
    "profiling_verbosity",
    "quantization_flags",
    "runtime_platform",
    "tiling_optimization_level",
    "use_gpu",
    "compute_capabilities",
)


def _profile_shapes(metadata: TensorMetadata) -> Dict[str, List[int]]:
    """Input -> shape, with 1 for every dimension that is not known. Inputs without any shape are
    left out: TensorRT chooses theirs."""
    shapes = {}
    for name, (_, shape) in metadata.items():
        if shape is None:
            continue
        shapes[name] = list(shape)
        if util.is_shape_dynamic(shape):
            shapes[name] = util.override_dynamic_shape(shape)
            G_LOGGER.warning(
                f"Input tensor: {name} | For TensorRT profile, overriding dynamic shape: {shape} "
                f"to: {shapes[name]}",
                mode=LogMode.ONCE,
            )
    return shapes


def _check_same_inputs(first: dict, first_kind: str, second: dict, second_kind: str) -> None:
    if first.keys() != second.keys():
        G_LOGGER.critical(
            f"Mismatch in input names between {first_kind} shapes ({list(first)}) and "
            f"{second_kind} shapes ({list(second)})"
        )


def parse_profile_shapes(
    default_shapes: TensorMetadata,
    min_args: List[List[str]],
    opt_args: List[List[str]],
    max_args: List[List[str]],
) -> List[Dict[str, Tuple[List[int], List[int], List[int]]]]:
    """The optimization profiles that options ask for.

    Shapes that are not given are those given before: the greatest ones are the usual ones, the
    usual ones are the least ones, and those are the ones of the profile before.

    Args:
        default_shapes: Shapes of inputs, to begin with. If there are any, there is a profile.
        min_args: For each profile, texts like `NAME:SHAPE`, of the least shapes.
        opt_args: The same of the shapes to optimize for.
        max_args: The same of the greatest shapes.

    Returns:
        For each profile: input -> least, usual and greatest shape.

    Raises:
        PolygraphyException: If the inputs of the three differ.
    """
    known = copy.copy(default_shapes)

    def next_shapes(given: list, profile: int) -> Dict[str, List[int]]:
        if profile < len(given):
            known.update(args_util.parse_meta(given[profile], includes_dtype=False))
        return _profile_shapes(known)

    count = max(len(given) for given in (min_args, opt_args, max_args))
    if any(shape is not None for _, shape in default_shapes.values()):
        count = max(count, 1)
    profiles = []
    for index in range(count):
        least, usual, greatest = (
            next_shapes(given, index) for given in (min_args, opt_args, max_args)
        )
        _check_same_inputs(least, "minimum", usual, "optimum")
        _check_same_inputs(usual, "optimum", greatest, "maximum")
        profiles.append({name: (least[name], usual[name], greatest[name]) for name in least})
    return profiles


def _parse_compute_capabilities(texts: Optional[List[str]]) -> Optional[List[Tuple[int, int]]]:
    """`["8.6"]` -> `[(8, 6)]`."""
    if texts is None:
        return None
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


def _enumerators(enum_name: str, names: Optional[List[str]]) -> Optional[List[Script.String]]:
    return None if names is None else [make_trt_enum_val(enum_name, name) for name in names]


def _enumerator(enum_name: str, name: Optional[str]) -> Optional[Script.String]:
    return None if name is None else make_trt_enum_val(enum_name, name)


@mod.export()
class TrtConfigArgs(BaseArgs):
    """TensorRT Builder Configuration: how TensorRT builds engines

    Uses ModelArgs for the shapes of a profile, and DataLoaderArgs for int8 calibration.

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

    def add_parser_args_impl(self):
        self._add_profiles_and_precisions()
        self._add_calibration_and_tactics()
        self._add_engine_options()
        self._add_builder_options()

    def _flag(self, *names, **kwargs) -> None:
        self.group.add_argument(*names, action="store_true", default=None, **kwargs)

    def _add_profiles_and_precisions(self) -> None:
        add = self.group.add_argument
        add(
            "--trt-min-shapes",
            action="append",
            nargs="+",
            default=[],
            help="The least shapes of a profile's inputs: x:[1,3,224,224]. Repeated: of the next "
            "profile. Default: the shapes of the model's inputs, if they are given.",
        )
        add(
            "--trt-opt-shapes",
            action="append",
            nargs="+",
            default=[],
            help="The shapes of a profile's inputs that TensorRT optimizes for. Default: the least "
            "ones.",
        )
        add(
            "--trt-max-shapes",
            action="append",
            nargs="+",
            default=[],
            help="The greatest shapes of a profile's inputs. Default: those to optimize for.",
        )
        self._flag("--tf32", help="Allow TF32 in layers of float32.")
        self._flag("--fp16", help="Allow float16.")
        self._flag("--bf16", help="Allow bfloat16.")
        self._flag("--fp8", help="Allow float8.")
        self._flag(
            "--int8",
            help="Allow int8: of quantized layers, or calibrated with the inputs of the data "
            "loader.",
        )
        add(
            "--precision-constraints",
            choices=("prefer", "obey", "none"),
            default=self._precision_constraints_default,
            help="What precisions of layers are: preferred, obeyed or ignored (none). Default: "
            f"{self._precision_constraints_default}.",
        )
        self._flag("--sparse-weights", help="Use that weights are sparse.")
        self._flag(
            "--version-compatible", help="Build an engine that later versions of TensorRT load."
        )
        self._flag(
            "--exclude-lean-runtime",
            help="Leave the lean runtime out of such an engine.",
        )

    def _add_calibration_and_tactics(self) -> None:
        add = self.group.add_argument
        add(
            "--calibration-cache",
            default=None,
            help="The scales that calibration found: read if they are there, else written.",
        )
        add(
            "--calib-base-cls",
            "--calibration-base-class",
            default=None,
            dest="calibration_base_class",
            help="The calibrator's class in TensorRT. Default: IInt8EntropyCalibrator2.",
        )
        add(
            "--quantile",
            type=float,
            default=None,
            help="The quantile of IInt8LegacyCalibrator. Default: 0.5.",
        )
        add(
            "--regression-cutoff",
            type=float,
            default=None,
            help="The cutoff of IInt8LegacyCalibrator. Default: 0.5.",
        )
        add(
            "--load-timing-cache",
            default=None,
            help="A cache of layers' timings to begin with.",
        )
        self._flag(
            "--error-on-timing-cache-miss",
            help="Fail where a layer is not in that cache.",
        )
        self._flag(
            "--disable-compilation-cache",
            help="Keep no code compiled at build time in that cache.",
        )
        self._add_tactic_options()

    def _add_tactic_options(self) -> None:
        tactics = self.group.add_mutually_exclusive_group()
        tactics.add_argument(
            "--save-tactics",
            "--save-tactic-replay",
            default=None,
            dest="save_tactics",
            help="Where to save which algorithm was chosen for each layer.",
        )
        tactics.add_argument(
            "--load-tactics",
            "--load-tactic-replay",
            default=None,
            dest="load_tactics",
            help="Such a file, whose algorithms are chosen again.",
        )
        self.group.add_argument(
            "--tactic-sources",
            nargs="*",
            default=None,
            help="Libraries that algorithms may come from: CUBLAS, CUDNN. None: no others than "
            "TensorRT itself.",
        )

    def _add_engine_options(self) -> None:
        add = self.group.add_argument
        add(
            "--trt-config-script",
            default=None,
            help="A function that makes the builder's configuration, as SCRIPT[:FUNCTION], instead "
            "of all other options. Default function: load_config.",
        )
        add(
            "--trt-config-postprocess-script",
            "--trt-cpps",
            default=None,
            help="A function that completes the configuration, as SCRIPT[:FUNCTION]. Default "
            "function: postprocess_config.",
        )
        self._flag(
            "--trt-safety-restricted",
            dest="restricted",
            help="Check that the engine is fit for the safety runtime.",
        )
        self._flag("--refittable", help="Let weights be replaced later.")
        self._flag("--strip-plan", help="Leave weights out that can be replaced later.")
        self._flag("--use-dla", help="Run layers on DLA.")
        self._flag("--allow-gpu-fallback", help="Run on the GPU what DLA cannot.")
        add(
            "--pool-limit",
            "--memory-pool-limit",
            nargs="+",
            default=None,
            dest="memory_pool_limit",
            help="Memory that a pool may take: workspace:1G.",
        )

    def _add_builder_options(self) -> None:
        add = self.group.add_argument
        add(
            "--preview-features",
            nargs="*",
            default=None,
            help="Features of TensorRT that are on trial. None: all of them off.",
        )
        add(
            "--builder-optimization-level",
            type=int,
            default=None,
            help="How long the builder looks for a fast engine: 0 to 5.",
        )
        add(
            "--hardware-compatibility-level",
            default=None,
            help="Which other GPUs the engine runs on: ampere_plus.",
        )
        add(
            "--max-aux-streams",
            type=int,
            default=None,
            help="Streams that the engine may use beside its own.",
        )
        add(
            "--quantization-flags",
            nargs="*",
            default=None,
            help="How int8 is calibrated: calibrate_before_fusion. None: all flags off.",
        )
        add(
            "--profiling-verbosity",
            default=None,
            help="What is told of layers: none, layer_names_only, detailed (the default).",
        )
        self._flag("--weight-streaming", help="Let weights stay in the host's memory.")
        add(
            "--runtime-platform",
            default=None,
            help="The system that the engine is for: windows_amd64.",
        )
        if self._allow_engine_capability:
            add(
                "--engine-capability",
                default=None,
                help="What the engine is for: standard, safety, dla_standalone.",
            )
        if self._allow_tensor_formats:
            self._flag(
                "--direct-io",
                help="Add no layers that change the formats of inputs and outputs.",
            )
        add(
            "--tiling-optimization-level",
            default=None,
            help="How much the builder does about tiling: none, fast, moderate, full.",
        )
        self._add_gpu_options()

    def _add_gpu_options(self) -> None:
        if self._allow_compute_capabilities and config.USE_TENSORRT_RTX:
            gpus = self.group.add_mutually_exclusive_group()
            gpus.add_argument(
                "--use-gpu",
                action="store_true",
                default=None,
                help="Build for the GPU of this machine.",
            )
            gpus.add_argument(
                "--compute-capabilities",
                nargs="+",
                default=None,
                help="Build for GPUs of these compute capabilities, of which none need be here: "
                "8.6 12.0.",
            )

    def parse_impl(self, args):
        """Sets these attributes; those of TensorRT's types are code:

        Attributes:
            profile_dicts (List[Dict[str, Tuple[List[int]]]]): For each profile, input -> least,
                usual and greatest shape
            tf32, fp16, bf16, fp8, int8 (bool): Whether these are allowed
            precision_constraints (str): `"prefer"`, `"obey"` or None
            restricted (bool): Whether the engine is to be fit for the safety runtime
            calibration_cache (str): A file for scales of int8
            calibration_base_class (str): The calibrator's class
            sparse_weights (bool): Whether weights may be sparse
            load_timing_cache (str): A file with timings of layers
            load_tactics (str): A file with algorithms to choose again
            save_tactics (str): Where to save which algorithms were chosen
            tactic_sources (List[str]): Libraries of algorithms
            trt_config_script (str): A Python file with a function that makes the configuration
            trt_config_func_name (str): The function
            trt_config_postprocess_script (str): A Python file with a function that completes it
            trt_config_postprocess_func_name (str): The function
            use_dla (bool): Whether layers run on DLA
            allow_gpu_fallback (bool): Whether they may run on the GPU otherwise
            memory_pool_limits (Dict[str, int]): Pool -> bytes
            engine_capability (str): What the engine is for
            refittable (bool): Whether weights can be replaced
            strip_plan (bool): Whether such weights are left out
            preview_features (List[str]): Features on trial
            builder_optimization_level (int): How long the builder looks
            hardware_compatibility_level (str): Which other GPUs the engine runs on
            direct_io (bool): Whether formats of inputs and outputs stay as they are
            profiling_verbosity (str): What is told of layers
            max_aux_streams (int): Further streams that the engine may use
            version_compatible (bool): Whether later versions load the engine
            exclude_lean_runtime (bool): Whether it is without a runtime
            quantization_flags (List[str]): How int8 is calibrated
            error_on_timing_cache_miss (bool): Whether all timings have to be there
            disable_compilation_cache (bool): Whether no code is cached
            weight_streaming (bool): Whether weights may stay in the host's memory
            runtime_platform (str): The system that the engine is for
            tiling_optimization_level (str): What is done about tiling
            compute_capabilities (List[Tuple[int, int]]): Of the GPUs to build for
            use_gpu (bool): Whether to build for the GPU of this machine

        Raises:
            PolygraphyException: If values make no sense, or exclude each other.
        """
        self.profile_dicts = self._parse_profiles(args)
        self._parse_precisions(args)
        self._parse_calibration(args)
        self._parse_tactics(args)
        self._parse_scripts(args)
        self._parse_engine(args)
        self._parse_builder(args)
        if self.exclude_lean_runtime and not self.version_compatible:
            G_LOGGER.critical(
                "`--exclude-lean-runtime` requires `--version-compatible` to be enabled."
            )

    def _parse_precisions(self, args) -> None:
        get = args_util.get
        for flag in ("tf32", "fp16", "bf16", "fp8", "int8"):
            setattr(self, flag, get(args, flag))
        constraints = get(args, "precision_constraints")
        self.precision_constraints = None if constraints == "none" else constraints
        self.restricted = get(args, "restricted")
        self.sparse_weights = get(args, "sparse_weights")

    def _parse_tactics(self, args) -> None:
        get = args_util.get
        self.load_timing_cache = get(args, "load_timing_cache")
        self.load_tactics = get(args, "load_tactics")
        self.save_tactics = get(args, "save_tactics")
        self.tactic_sources = _enumerators("TacticSource", get(args, "tactic_sources"))

    def _parse_scripts(self, args) -> None:
        get = args_util.get
        self.trt_config_script, self.trt_config_func_name = args_util.parse_script_and_func_name(
            get(args, "trt_config_script"), default_func_name="load_config"
        )
        self.trt_config_postprocess_script, self.trt_config_postprocess_func_name = (
            args_util.parse_script_and_func_name(
                get(args, "trt_config_postprocess_script"), default_func_name="postprocess_config"
            )
        )

    def _parse_engine(self, args) -> None:
        get = args_util.get
        self.use_dla = get(args, "use_dla")
        self.allow_gpu_fallback = get(args, "allow_gpu_fallback")
        self.memory_pool_limits = self._parse_pools(get(args, "memory_pool_limit"))
        self.engine_capability = _enumerator("EngineCapability", get(args, "engine_capability"))
        self.direct_io = get(args, "direct_io")
        self.refittable = get(args, "refittable")
        self.strip_plan = get(args, "strip_plan")

    def _parse_builder(self, args) -> None:
        get = args_util.get
        self.preview_features = _enumerators("PreviewFeature", get(args, "preview_features"))
        self.builder_optimization_level = get(args, "builder_optimization_level")
        self.hardware_compatibility_level = _enumerator(
            "HardwareCompatibilityLevel", get(args, "hardware_compatibility_level")
        )
        self.profiling_verbosity = _enumerator(
            "ProfilingVerbosity", get(args, "profiling_verbosity")
        )
        self.max_aux_streams = get(args, "max_aux_streams")
        self.version_compatible = get(args, "version_compatible")
        self.exclude_lean_runtime = get(args, "exclude_lean_runtime")
        self.quantization_flags = _enumerators("QuantizationFlag", get(args, "quantization_flags"))
        self.error_on_timing_cache_miss = get(args, "error_on_timing_cache_miss")
        self.disable_compilation_cache = get(args, "disable_compilation_cache")
        self.weight_streaming = get(args, "weight_streaming")
        self.runtime_platform = _enumerator("RuntimePlatform", get(args, "runtime_platform"))
        self.tiling_optimization_level = _enumerator(
            "TilingOptimizationLevel", get(args, "tiling_optimization_level")
        )
        self.compute_capabilities = _parse_compute_capabilities(get(args, "compute_capabilities"))
        self.use_gpu = get(args, "use_gpu", default=False)

    def _parse_profiles(self, args) -> list:
        shapes = TensorMetadata()
        if self._allow_custom_input_shapes and ModelArgs in self.arg_groups:
            shapes = self.arg_groups[ModelArgs].input_shapes
        return parse_profile_shapes(
            shapes,
            args_util.get(args, "trt_min_shapes", default=[]),
            args_util.get(args, "trt_opt_shapes", default=[]),
            args_util.get(args, "trt_max_shapes", default=[]),
        )

    def _parse_calibration(self, args) -> None:
        self.calibration_cache = args_util.get(args, "calibration_cache")
        name = args_util.get(args, "calibration_base_class")
        self.calibration_base_class = (
            None if name is None else inline(safe("trt.{}", inline_identifier(name)))
        )
        self._quantile = args_util.get(args, "quantile")
        self._regression_cutoff = args_util.get(args, "regression_cutoff")

    @staticmethod
    def _parse_pools(texts: Optional[List[str]]) -> Optional[Dict[Script.String, int]]:
        sizes = args_util.parse_arglist_to_dict(
            texts, cast_to=args_util.parse_num_bytes, allow_empty_key=False
        )
        return sizes and {
            make_trt_enum_val("MemoryPoolType", pool): size for pool, size in sizes.items()
        }

    def _add_profiles(self, script: Script) -> Optional[Script.String]:
        if not self.profile_dicts:
            return None
        script.add_import(imports=["Profile"], frm="polygraphy.backend.trt")
        profiles = []
        for profile in self.profile_dicts:
            text = "Profile()"
            for name, (least, usual, greatest) in profile.items():
                add = make_invocable("add", name, min=least, opt=usual, max=greatest)
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
            cache=self.calibration_cache,
            BaseClass=self.calibration_base_class,
            quantile=self._quantile,
            regression_cutoff=self._regression_cutoff,
        )

    def _add_tactics(self, script: Script) -> Optional[Script.String]:
        if self.load_tactics is not None:
            script.add_import(imports=["TacticReplayer"], frm="polygraphy.backend.trt")
            return make_invocable("TacticReplayer", replay=self.load_tactics)
        if self.save_tactics is not None:
            script.add_import(imports=["TacticRecorder"], frm="polygraphy.backend.trt")
            return make_invocable("TacticRecorder", record=self.save_tactics)
        return None

    def _arguments(self, script: Script) -> Dict[str, Any]:
        """Of CreateConfig, by name; None for defaults."""
        made = {
            "profiles": self._add_profiles(script),
            "calibrator": self._add_calibrator(script),
            "algorithm_selector": self._add_tactics(script),
        }
        names = _ARGUMENTS + (_ARGUMENTS_OF_RTX if config.USE_TENSORRT_RTX else _ARGUMENTS_OF_TRT)
        return {name: made[name] if name in made else getattr(self, name) for name in names}

    def add_to_script_impl(
        self, script: Script, custom_loader_name: Optional[str] = None
    ) -> Optional[Script.String]:
        """Adds the configuration to a script.

        Args:
            script: The script.
            custom_loader_name: What to call the variable; then there is one in any case.

        Returns:
            The variable with the loader of the configuration; None for the default one.
        """
        if any(getattr(self, name) is not None for name in _USE_TRT) or (
            self.int8 and self.calibration_base_class is not None
        ):
            script.add_import(imports=tensorrt_module_and_version_string(), imp_as="trt")
        arguments = self._arguments(script)
        if self.trt_config_script is not None:
            script.add_import(imports=["InvokeFromScript"], frm="polygraphy.backend.common")
            loader = make_invocable(
                "InvokeFromScript", self.trt_config_script, name=self.trt_config_func_name
            )
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
        script.add_import(imports=["InvokeFromScript"], frm="polygraphy.backend.common")
        function = make_invocable(
            "InvokeFromScript",
            self.trt_config_postprocess_script,
            name=self.trt_config_postprocess_func_name,
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
