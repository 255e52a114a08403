"""Options of loading ONNX models, and of converting those of TensorFlow."""

from __future__ import annotations

from typing import List, Optional

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader._saving import OnnxInferShapesArgs, OnnxSaveArgs
from polygraphy.tools.args.backend.tf.loader import TfLoadArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option
from polygraphy.tools.script import Script, make_invocable


@mod.export()
class OnnxFromTfArgs(TableArgs):
    """
    TensorFlow-ONNX Model Conversion: converting models of TensorFlow to ONNX

    Depends on:

        - TfLoadArgs

    Attributes:
        opset (int): Opset of the ONNX model. None: tf2onnx chooses.
    """

    _BACKEND = "tensorflow"
    _OWN = {"heading": ("TensorFlow-ONNX Model Conversion",)}

    def add_to_script_impl(self, script):
        """Adds the conversion.

        Returns:
            Script.String: The variable of the loader of the ONNX model.
        """
        G_LOGGER.verbose(
            "Attempting to load as a TensorFlow model, using TF2ONNX to convert to ONNX. If this "
            "is not correct, please specify --model-type",
            mode=LogMode.ONCE,
        )
        script.add_import(["OnnxFromTfGraph"], frm="polygraphy.backend.onnx")
        graph = self.arg_groups[TfLoadArgs].add_to_script(script, disable_custom_outputs=True)
        return script.add_backend_loader(
            "onnx", "OnnxFromTfGraph", "export_onnx_from_tf", graph, opset=self.opset
        )


@mod.export()
class OnnxLoadArgs(TableArgs):
    """
    ONNX Model Loading: how an ONNX model is read, and which outputs it has

    Depends on:

        - ModelArgs
        - OnnxInferShapesArgs: if `allow_shape_inference` is True
        - OnnxSaveArgs: if `allow_saving` is True
        - OnnxFromTfArgs: if `allow_from_tf` is True

    Args:
        allow_saving: Whether OnnxSaveArgs saves loaded models. No if left out.
        outputs_opt_prefix: Prefix of the options about outputs, after the dashes; False: leave them
            out. `onnx-` if left out.
        allow_shape_inference: Whether OnnxInferShapesArgs infers shapes. Yes if left out.
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

    def _options(self) -> List[Row]:
        prefix = f"--{self._outputs_opt_prefix}"
        outputs = {"nargs": "+", "offered": self._outputs_opt_prefix is not False}
        return [
            option(
                "--external-data-dir --load-external-data --ext",
                "The folder of the tensors that are stored outside the model file. Default: the "
                "model's own.",
            ),
            flag(
                "--ignore-external-data",
                "Load the structure only. Such a model can be inspected, but not run.",
            ),
            option(
                f"{prefix}outputs",
                "Make these tensors the model's outputs: names, wildcards, or '*' for all.",
                dest="onnx_outputs",
                attribute="outputs",
                **outputs,
            ),
            option(
                f"{prefix}exclude-outputs",
                "Remove these names from the model's outputs; wildcards may be used.",
                dest="onnx_exclude_outputs",
                attribute="exclude_outputs",
                **outputs,
            ),
            option(
                f"{prefix}outputs-by-type",
                "Make every output of nodes of these operators an output of the model, such as "
                "Conv Gemm.",
                dest="onnx_outputs_by_type",
                attribute="mark_types",
                **outputs,
            ),
            flag(
                "--fp-to-fp16",
                "Convert the model to float16; its inputs and outputs, and operators that need it, "
                "stay float32.",
                attribute="convert_to_fp16",
            ),
            option(
                "--set-unbounded-dds-upper-bound",
                "Upper bounds for values that set the size of other tensors, where nothing else "
                "bounds them: for one tensor or for all of them, as 1000 or NAME:1000. See "
                "`polygraphy inspect model --list-unbounded-dds`.",
                nargs="+",
                type="by_name",
                dest="upper_bounds",
                offered=self._allow_setting_upper_bounds,
            ),
        ]

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            external_data_dir (str): The folder of external data. None: that of the model.
            ignore_external_data (bool): Whether to load the structure only.
            outputs (List[str]): The model's outputs, or `constants.MARK_ALL`. None: its own.
            exclude_outputs (List[str]): Names to remove from the outputs.
            mark_types (List[str]): Operators whose outputs become outputs of the model.
            convert_to_fp16 (bool): Whether to convert it to float16.
            upper_bounds (Dict[str, int]):
                Upper bounds by tensor, and that of all others under `""`.
        """
        super().parse_impl(args)
        self.outputs = args_util.get_outputs(args, "onnx_outputs")
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
            return script.add_backend_loader(
                "onnx",
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
        """Adds loading the model, and the changes that the options request.

        Args:
            script: The script.
            disable_custom_outputs: Whether options about outputs do not count. No if left out.
            serialize_model: Whether to make bytes of the model. No if left out.

        Returns:
            Script.String: The variable of its loader.
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
            loader = script.add_backend_loader("onnx", "ConvertToFp16", "convert_to_fp16", loader)
        saving = self._group_if(self._allow_saving, OnnxSaveArgs)
        if saving:
            loader = saving.add_to_script(script, loader)
        loader = script.add_change(
            "onnx", "SetUpperBound", "set_upper_bound", loader, upper_bounds=self.upper_bounds
        )
        if serialize_model:
            loader = script.add_backend_loader("onnx", "BytesFromOnnx", "serialize_onnx", loader)
        return loader

    def must_use_onnx_loader(self, disable_custom_outputs: Optional[bool] = None) -> bool:
        """Whether options change the model, so that a path cannot take its place.

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
