"""Options about reading, changing and writing ONNX models."""

from __future__ import annotations

import os
from typing import List, Optional

from polygraphy import constants, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.tf.loader import TfLoadArgs
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.script import Script, make_invocable


def _add_onnx_loader(script: Script, name: str, variable: str, *args, **kwargs) -> Script.String:
    """Adds a loader of `polygraphy.backend.onnx` to a script, and returns its variable."""
    script.add_import([name], frm="polygraphy.backend.onnx")
    return script.add_loader(make_invocable(name, *args, **kwargs), variable)


@mod.export()
class OnnxInferShapesArgs(BaseArgs):
    """
    ONNX Shape Inference: filling in shapes that an ONNX model does not state

    Depends on:
        - OnnxLoadArgs, for the folder of external data, if there is one
        - DataLoaderArgs, for the inputs of fallback shape inference, if it is allowed

    Args:
        default: Whether shapes are inferred unless an option says no. No if left out.
        allow_force_fallback: Whether there is an option for fallback shape inference, which runs
            the model. No if left out.
    """

    def __init__(
        self, default: Optional[bool] = None, allow_force_fallback: Optional[bool] = None
    ):
        super().__init__()
        self._default = util.default(default, False)
        self._allow_force_fallback = util.default(allow_force_fallback, False)

    def add_parser_args_impl(self) -> None:
        exclusive = self.group.add_mutually_exclusive_group()
        if self._default:
            exclusive.add_argument(
                "--no-shape-inference",
                help="Do not infer the shapes and types of tensors.",
                dest="do_shape_inference",
                action="store_false",
                default=True,
            )
        else:
            exclusive.add_argument(
                "--shape-inference",
                "--do-shape-inference",
                help="Infer the shapes and types of tensors when the model is loaded.",
                dest="do_shape_inference",
                action="store_true",
                default=False,
            )
        if self._allow_force_fallback:
            exclusive.add_argument(
                "--force-fallback-shape-inference",
                help="Run the model on ONNX Runtime with generated inputs and take the shapes and "
                "types seen there. Dynamic dimensions become static.",
                action="store_true",
                default=None,
            )
        self.group.add_argument(
            "--no-onnxruntime-shape-inference",
            help="Accepted for compatibility: shapes are always inferred by the onnx library's "
            "rules.",
            dest="allow_onnxruntime",
            action="store_false",
            default=None,
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            do_shape_inference (bool): Whether to infer shapes.
            force_fallback (bool): Whether to run the model for its shapes instead.
            allow_onnxruntime (bool): What `InferShapes` has under this name.
        """
        self.do_shape_inference = args_util.get(args, "do_shape_inference")
        self.force_fallback = args_util.get(args, "force_fallback_shape_inference")
        self.allow_onnxruntime = args_util.get(args, "allow_onnxruntime")
        # One excludes the other, also if the latter is on by default.
        if self.force_fallback:
            self.do_shape_inference = False

    def add_to_script_impl(self, script, loader_name):
        """Adds shape inference, if it was asked for. That does not mean fallback shape inference.

        Args:
            script: The script.
            loader_name: What makes the model: a variable, or its path.

        Returns:
            Script.String: The variable of what makes the model now.
        """
        if not self.do_shape_inference:
            return loader_name
        external_data_dir = None
        if OnnxLoadArgs in self.arg_groups:
            external_data_dir = self.arg_groups[OnnxLoadArgs].external_data_dir
        return _add_onnx_loader(
            script,
            "InferShapes",
            "infer_shapes",
            loader_name,
            external_data_dir=external_data_dir,
            allow_onnxruntime=self.allow_onnxruntime,
        )

    def infer_shapes(self, model, force: Optional[bool] = None):
        """Infers shapes now, if that was asked for.

        Args:
            model: An ONNX model, or its path.
            force: Whether to do it in any case. No if left out.

        Returns:
            onnx.ModelProto: The model with shapes; `model` itself if there is nothing to be done.
        """
        do_it = True if force else self.do_shape_inference
        if not do_it:
            return model
        with util.TempAttrChange(self, {"do_shape_inference": do_it}):
            return args_util.run_script(self.add_to_script, model)()

    def fallback_inference(self, onnx_model, outputs: Optional[List[str]] = None):
        """Runs a model on ONNX Runtime, with inputs that the options say.

        Args:
            onnx_model: The ONNX model.
            outputs: The tensors that are wanted. All of them if left out.

        Returns:
            Tuple[IterationResult, TensorMetadata]:
                The values of these tensors and of the inputs, and what their types and shapes are.
        """
        from polygraphy.backend import onnx as onnx_backend
        from polygraphy.backend import onnxrt as onnxrt_backend
        from polygraphy.comparator import DataLoader, IterationResult
        from polygraphy.comparator.data_loader import DataLoaderCache

        # One level quieter: what is done here is no concern of those who want shapes.
        threshold = G_LOGGER.module_severity.get(G_LOGGER.module_path(__file__))
        with G_LOGGER.verbosity(threshold + 10):
            model = onnx_backend.modify_outputs(
                onnx_model, outputs=util.default(outputs, constants.MARK_ALL), copy=True
            )
            load_session = onnxrt_backend.SessionFromOnnx(onnx_backend.BytesFromOnnx(model))
            session = load_session()
            data_loader = DataLoader()
            if DataLoaderArgs in self.arg_groups:
                data_loader = self.arg_groups[DataLoaderArgs].get_data_loader()
        with onnxrt_backend.OnnxrtRunner(session) as runner:
            cache = DataLoaderCache(data_loader)
            cache.set_input_metadata(runner.get_input_metadata(use_numpy_dtypes=False))
            feed_dict = cache[0]
            metadata_of_inputs = TensorMetadata.from_feed_dict(feed_dict)
            G_LOGGER.info(
                f"Running fallback shape inference using input metadata:\n{metadata_of_inputs}"
            )
            tensors = runner.infer(feed_dict)
        result = IterationResult({**tensors, **feed_dict})
        metadata = TensorMetadata.from_feed_dict(result)
        return result, metadata


@mod.export()
class OnnxSaveArgs(BaseArgs):
    """
    ONNX Model Saving: where an ONNX model and its weights are written

    Depends on OnnxInferShapesArgs, if shapes are to be inferred before.

    Args:
        allow_shape_inference: Whether the options of OnnxInferShapesArgs hold for what is saved.
            No if left out.
        output_opt: The option for the path, without dashes; False: there is none. `output` if left
            out.
        output_short_opt: A short form of that option; False: there is none. `-o` if left out.
        output_opt_required: Whether that option must be given. No if left out.
        output_default_path: The path if it is not given.
        allow_multiple_models: Whether there are several models, so that the path is a folder, and
            the file of external data is the end of a name. No if left out.
    """

    def __init__(
        self,
        allow_shape_inference: Optional[bool] = None,
        output_opt: Optional[str] = None,
        output_short_opt: Optional[str] = None,
        output_opt_required: Optional[bool] = None,
        output_default_path: Optional[str] = None,
        allow_multiple_models: Optional[bool] = None,
    ):
        super().__init__()
        self._allow_shape_inference = util.default(allow_shape_inference, False)
        self._output_opt = util.default(output_opt, "output")
        self._output_short_opt = util.default(output_short_opt, "-o")
        self._output_opt_required = util.default(output_opt_required, False)
        self._output_default_path = output_default_path
        self._allow_multiple_models = util.default(allow_multiple_models, False)
        self._is_saving_one = False

    def add_parser_args_impl(self) -> None:
        if self._output_opt:
            names = [self._output_short_opt] if self._output_short_opt else []
            what = "The folder for the models." if self._allow_multiple_models else "The file."
            self.group.add_argument(
                *names,
                f"--{self._output_opt}",
                help=f"Where to write the ONNX model. {what}",
                dest="save_onnx",
                default=self._output_default_path,
                required=self._output_opt_required,
            )
        if self._allow_multiple_models:
            external_data_help = (
                "Store tensors outside of the models, in files that are called like them, with "
                "this at the end. Default: _ext_data."
            )
        else:
            external_data_help = (
                "Store tensors outside the model, in a file of this name beside it. Without a "
                "name: MODEL.data."
            )
        self.group.add_argument(
            "--save-external-data",
            "--external-data-path",
            help=external_data_help,
            action="append",
            nargs="?",
            default=None,
            dest="external_data_path",
        )
        self.group.add_argument(
            "--external-data-size-threshold",
            help="With --save-external-data: tensors smaller than this stay in the model. Such as "
            "4096, 16K or 1.5M. Default: 1024.",
            default=None,
        )
        self.group.add_argument(
            "--no-save-all-tensors-to-one-file",
            help="With --save-external-data: a file for each tensor.",
            dest="all_tensors_to_one_file",
            default=None,
            action="store_false",
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            path (str): Where to write the model. None: nowhere.
            external_data_path (str):
                The file of tensors outside of the model, `""` for one that is named after it; of
                several models the end of the name. None: there are none.
            size_threshold (int): Bytes of the smallest tensor there.
            all_tensors_to_one_file (bool): Whether there is one file for all of them.
        """
        self.path = args_util.get(args, "save_onnx")
        given = args_util.get(args, "external_data_path")
        self.external_data_path = None if given is None else given[0] or ""
        self.size_threshold = args_util.parse_num_bytes(
            args_util.get(args, "external_data_size_threshold")
        )
        self.all_tensors_to_one_file = args_util.get(args, "all_tensors_to_one_file")

    def add_to_script_impl(self, script, loader_name):
        """Adds saving, if there is a path.

        Args:
            script: The script.
            loader_name: The variable of what makes the model.

        Returns:
            Script.String: The variable of what makes and saves it.
        """
        if self._allow_multiple_models and not self._is_saving_one:
            # The path and the end of a name are not those of any one model.
            G_LOGGER.internal_error(
                "OnnxSaveArgs.add_to_script() should never be called when "
                "`allow_multiple_models` is enabled"
            )
        if self.path is None:
            return loader_name
        if self._allow_shape_inference and OnnxInferShapesArgs in self.arg_groups:
            loader_name = self.arg_groups[OnnxInferShapesArgs].add_to_script(script, loader_name)
        return _add_onnx_loader(
            script,
            "SaveOnnx",
            "save_onnx",
            loader_name,
            path=self.path,
            external_data_path=self.external_data_path,
            size_threshold=self.size_threshold,
            all_tensors_to_one_file=self.all_tensors_to_one_file,
        )

    def save_onnx(self, model, path: Optional[str] = None):
        """Saves a model now.

        Args:
            model: The ONNX model.
            path: Where to. The path that the options say if left out; nothing is saved if they say
                none.

        Returns:
            onnx.ModelProto: The model as it was saved.
        """
        path = util.default(path, self.path)
        if path is None:
            return model
        external_data_path = self.external_data_path
        if self._allow_multiple_models and external_data_path is not None:
            stem = os.path.splitext(os.path.basename(path))[0]
            external_data_path = stem + (external_data_path or "_ext_data")
        changes = {
            "path": path,
            "external_data_path": external_data_path,
            "_is_saving_one": True,
        }
        with util.TempAttrChange(self, changes):
            return args_util.run_script(self.add_to_script, model)()


@mod.export()
class OnnxLoadArgs(BaseArgs):
    """
    ONNX Model Loading: how an ONNX model is read, and which outputs it has

    Depends on:
        - ModelArgs
        - OnnxInferShapesArgs, if shape inference is allowed
        - OnnxSaveArgs, if saving is allowed
        - OnnxFromTfArgs, if models of TensorFlow are allowed

    Args:
        allow_saving: Whether the options of OnnxSaveArgs hold for what is loaded. No if left out.
        outputs_opt_prefix: What the options about outputs begin with, after the dashes; False:
            there are none. `onnx-` if left out.
        allow_shape_inference: Whether the options of OnnxInferShapesArgs hold. Yes if left out.
        allow_from_tf: Whether models of TensorFlow are converted. No if left out.
        allow_setting_upper_bounds: Whether there is an option for upper bounds of tensors whose
            values set the size of others. No if left out.
    """

    def __init__(
        self,
        allow_saving: Optional[bool] = None,
        outputs_opt_prefix: Optional[str] = None,
        allow_shape_inference: Optional[bool] = None,
        allow_from_tf: Optional[bool] = None,
        allow_setting_upper_bounds: Optional[bool] = None,
    ):
        super().__init__()
        self._allow_saving = util.default(allow_saving, False)
        self._allow_shape_inference = util.default(allow_shape_inference, True)
        self._outputs_opt_prefix = util.default(outputs_opt_prefix, "onnx-")
        self._allow_from_tf = util.default(allow_from_tf, False)
        self._allow_setting_upper_bounds = util.default(allow_setting_upper_bounds, False)

    def add_parser_args_impl(self) -> None:
        self.group.add_argument(
            "--external-data-dir",
            "--load-external-data",
            "--ext",
            help="The folder of the tensors that are stored outside the model file. Default: the "
            "model's own.",
            dest="external_data_dir",
            default=None,
        )
        self.group.add_argument(
            "--ignore-external-data",
            help="Load the structure only. Such a model can be inspected, but not run.",
            action="store_true",
            default=None,
        )
        if self._outputs_opt_prefix is not False:
            prefix = f"--{self._outputs_opt_prefix}"
            self.group.add_argument(
                f"{prefix}outputs",
                help="Make these tensors the model's outputs: names, wildcards, or '*' for all.",
                nargs="+",
                default=None,
                dest="onnx_outputs",
            )
            self.group.add_argument(
                f"{prefix}exclude-outputs",
                help="Remove these names from the model's outputs; wildcards may be used.",
                nargs="+",
                default=None,
                dest="onnx_exclude_outputs",
            )
            self.group.add_argument(
                f"{prefix}outputs-by-type",
                help="Make every output of nodes of these operators an output of the model, such "
                "as Conv Gemm.",
                nargs="+",
                default=None,
                dest="onnx_outputs_by_type",
            )
        self.group.add_argument(
            "--fp-to-fp16",
            help="Convert the model to float16; its inputs and outputs, and operators that need "
            "it, stay float32.",
            action="store_true",
            default=None,
        )
        if self._allow_setting_upper_bounds:
            self.group.add_argument(
                "--set-unbounded-dds-upper-bound",
                help="Upper bounds for tensors whose values set the size of others, where nothing "
                "bounds them: for one tensor or for all such, as 1000 or NAME:1000. See "
                "`polygraphy inspect model --list-unbounded-dds`.",
                nargs="+",
                default=None,
                dest="upper_bounds",
            )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            external_data_dir (str): The folder of external data. None: that of the model.
            ignore_external_data (bool): Whether to do without external data.
            outputs (List[str]):
                The outputs that the model shall have, or `constants.MARK_ALL`. None: its own.
            exclude_outputs (List[str]): Outputs that it shall not have.
            mark_types (List[str]): Operators whose outputs it shall have.
            convert_to_fp16 (bool): Whether to convert it to float16.
            upper_bounds (Dict[str, int]):
                Upper bounds by tensor, and that of all others under `""`.
        """
        self.external_data_dir = args_util.get(args, "external_data_dir")
        self.ignore_external_data = args_util.get(args, "ignore_external_data")
        self.outputs = args_util.get_outputs(args, "onnx_outputs")
        self.exclude_outputs = args_util.get(args, "onnx_exclude_outputs")
        self.mark_types = args_util.get(args, "onnx_outputs_by_type")
        self.convert_to_fp16 = args_util.get(args, "fp_to_fp16")
        self.upper_bounds = args_util.parse_arglist_to_dict(args_util.get(args, "upper_bounds"))
        for name, bound in (self.upper_bounds or {}).items():
            if not isinstance(bound, int):
                G_LOGGER.critical(
                    f"Could not understand the upper bound '{bound}'"
                    + (f" of the tensor '{name}'." if name else ".")
                    + "\nBounds are whole numbers: --set-unbounded-dds-upper-bound 1000 NAME:200"
                )

    def _changes_outputs(self, disable_custom_outputs: Optional[bool]) -> bool:
        asked = self.outputs or self.exclude_outputs or self.mark_types
        return bool(asked) and not disable_custom_outputs

    def _model_type(self):
        model_type = self.arg_groups[ModelArgs].model_type
        if model_type is None:
            G_LOGGER.critical("There is no model to load.\nGive the model's path.")
        return model_type

    def _group_if(self, allowed: bool, group: type):
        return self.arg_groups[group] if allowed and group in self.arg_groups else None

    def _add_model(self, script) -> Script.String:
        model_type, path = self._model_type(), self.arg_groups[ModelArgs].path
        if model_type.is_onnx():
            inference = self._group_if(self._allow_shape_inference, OnnxInferShapesArgs)
            if inference and inference.do_shape_inference:
                # Reads the file itself: values of tensors are not needed for shapes.
                return inference.add_to_script(script, path)
            return _add_onnx_loader(
                script,
                "OnnxFromPath",
                "load_onnx",
                path,
                external_data_dir=self.external_data_dir,
                ignore_external_data=self.ignore_external_data,
            )
        if model_type.is_tf() and self._allow_from_tf:
            return self.arg_groups[OnnxFromTfArgs].add_to_script(script)
        G_LOGGER.critical(f"Model type: {model_type} could not be converted to an ONNX model.")

    def add_to_script_impl(
        self,
        script,
        disable_custom_outputs: Optional[bool] = None,
        serialize_model: Optional[bool] = None,
    ):
        """Adds loading the model, and what the options say is to be done with it.

        Args:
            script: The script.
            disable_custom_outputs: Whether options about outputs do not count. No if left out.
            serialize_model: Whether to make bytes of the model. No if left out.

        Returns:
            Script.String: The variable of what makes it.
        """
        loader = self._add_model(script)
        if self._changes_outputs(disable_custom_outputs):
            script.add_import(
                ["ModifyOutputs"], frm="polygraphy.backend.onnx", imp_as="ModifyOnnxOutputs"
            )
            modify = make_invocable(
                "ModifyOnnxOutputs",
                loader,
                outputs=args_util.get_outputs_for_script(script, self.outputs),
                exclude_outputs=self.exclude_outputs,
                mark_types=self.mark_types,
            )
            loader = script.add_loader(modify, "modify_outputs")
        if self.convert_to_fp16:
            loader = _add_onnx_loader(script, "ConvertToFp16", "convert_to_fp16", loader)
        saving = self._group_if(self._allow_saving, OnnxSaveArgs)
        if saving:
            loader = saving.add_to_script(script, loader)
        if self.upper_bounds is not None:
            loader = _add_onnx_loader(
                script, "SetUpperBound", "set_upper_bound", loader, upper_bounds=self.upper_bounds
            )
        if serialize_model:
            loader = _add_onnx_loader(script, "BytesFromOnnx", "serialize_onnx", loader)
        return loader

    def must_use_onnx_loader(self, disable_custom_outputs: Optional[bool] = None) -> bool:
        """Whether anything is done with the model, so that its path will not do in its place.

        Args:
            disable_custom_outputs: Whether options about outputs do not count. No if left out.
        """
        inference = self._group_if(self._allow_shape_inference, OnnxInferShapesArgs)
        saving = self._group_if(self._allow_saving, OnnxSaveArgs)
        return bool(
            not self._model_type().is_onnx()
            or self._changes_outputs(disable_custom_outputs)
            or self.external_data_dir
            or self.convert_to_fp16
            or self.upper_bounds
            or (inference and inference.do_shape_inference)
            or (saving and saving.path is not None)
        )

    def load_onnx(self):
        """Loads the model now.

        Returns:
            onnx.ModelProto: The model.
        """
        return args_util.run_script(self.add_to_script)()


@mod.export()
class OnnxFromTfArgs(BaseArgs):
    """
    TensorFlow-ONNX Model Conversion: converting models of TensorFlow to ONNX

    Depends on TfLoadArgs.
    """

    def add_parser_args_impl(self) -> None:
        self.group.add_argument(
            "--opset",
            help="The opset of the ONNX model that is made of a model of TensorFlow.",
            default=None,
            type=int,
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            opset (int): The opset of the ONNX model. None: the default one.
        """
        self.opset = args_util.get(args, "opset")

    def add_to_script_impl(self, script):
        """Adds the conversion.

        Returns:
            Script.String: The variable of what makes the ONNX model.
        """
        G_LOGGER.verbose(
            "Attempting to load as a TensorFlow model, using TF2ONNX to convert to ONNX. If this "
            "is not correct, please specify --model-type",
            mode=LogMode.ONCE,
        )
        script.add_import(["OnnxFromTfGraph"], frm="polygraphy.backend.onnx")
        graph = self.arg_groups[TfLoadArgs].add_to_script(script, disable_custom_outputs=True)
        return script.add_loader(
            make_invocable("OnnxFromTfGraph", graph, opset=self.opset), "export_onnx_from_tf"
        )
