"""Options of saving ONNX models."""

from __future__ import annotations

import os
from typing import List, Optional

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader._inference import OnnxInferShapesArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option


@mod.export()
class OnnxSaveArgs(TableArgs):
    """
    ONNX Model Saving: where an ONNX model and its weights are written

    Depends on:

        - OnnxInferShapesArgs: if `allow_shape_inference` is True

    Args:
        allow_shape_inference: Whether OnnxInferShapesArgs infers shapes of saved models. No if
            left out.
        output_opt: The option for the path, without dashes; False: leave it out. `output` if left
            out.
        output_short_opt: A short form of that option; False: leave it out. `-o` if left out.
        output_opt_required: Whether that option must be given. No if left out.
        output_default_path: The path without that option.
        allow_multiple_models: Whether the tool saves several models: the path is a folder, and the
            option of external data a suffix of names. No if left out.
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

    def _options(self) -> List[Row]:
        names = [self._output_short_opt, f"--{self._output_opt}"]
        what = "The folder for the models." if self._allow_multiple_models else "The file."
        if self._allow_multiple_models:
            external_data = (
                "Store tensors outside of the models, in files named like the models with this "
                "suffix. Default: _ext_data."
            )
        else:
            external_data = (
                "Store tensors outside the model, in a file of this name beside it. Without a "
                "name: MODEL.data."
            )
        return [
            option(
                " ".join(name for name in names if name),
                f"Where to write the ONNX model. {what}",
                dest="save_onnx",
                attribute="path",
                default=self._output_default_path,
                required=self._output_opt_required,
                offered=bool(self._output_opt),
            ),
            option(
                "--save-external-data --external-data-path",
                external_data,
                nargs="?",
                repeats=True,
                default=None,
                missing=None,
                dest="external_data_path",
            ),
            option(
                "--external-data-size-threshold",
                "With --save-external-data: tensors smaller than this stay in the model. Such as "
                "4096, 16K or 1.5M. Default: 1024.",
                type="size",
                attribute="size_threshold",
            ),
            flag(
                "--no-save-all-tensors-to-one-file",
                "With --save-external-data: a file for each tensor.",
                off=True,
                dest="all_tensors_to_one_file",
            ),
        ]

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            path (str): Where to write the model. None: nowhere.
            external_data_path (str):
                The file of tensors outside of the model, `""` for one that is named after it; of
                several models the suffix of names. None: all tensors stay in the model.
            size_threshold (int): Bytes of the smallest tensor there.
            all_tensors_to_one_file (bool): Whether all of them are in one file.
        """
        super().parse_impl(args)
        if self.external_data_path is not None:
            self.external_data_path = self.external_data_path[0] or ""

    def add_to_script_impl(self, script, loader_name):
        """Adds saving, if the options have a path.

        Args:
            script: The script.
            loader_name: The variable of the model's loader.

        Returns:
            Script.String: The variable of a loader that also saves it.
        """
        if self._allow_multiple_models and not self._is_saving_one:
            # The path is a folder, and the suffix is not a name.
            G_LOGGER.internal_error(
                "OnnxSaveArgs.add_to_script() should never be called when "
                "`allow_multiple_models` is enabled"
            )
        if self.path is None:
            return loader_name
        if self._allow_shape_inference and OnnxInferShapesArgs in self.arg_groups:
            loader_name = self.arg_groups[OnnxInferShapesArgs].add_to_script(script, loader_name)
        return script.add_backend_loader(
            "onnx",
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
