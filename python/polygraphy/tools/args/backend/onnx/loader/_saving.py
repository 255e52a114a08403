"""Options of inferring the shapes of ONNX models, and of saving models."""

from __future__ import annotations

import os
from typing import List, Optional

from polygraphy import constants, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option


@mod.export()
class OnnxInferShapesArgs(TableArgs):
    """
    ONNX Shape Inference: filling in shapes that an ONNX model does not state

    Depends on:

        - OnnxLoadArgs
        - DataLoaderArgs: if `allow_force_fallback` is True

    Args:
        default: Whether shapes are inferred unless an option says no. No if left out.
        allow_force_fallback: Whether there is an option for fallback shape inference, which runs
            the model. No if left out.
    """

    def __init__(self, default: Optional[bool] = None, allow_force_fallback: Optional[bool] = None):
        super().__init__()
        self._default = util.default(default, False)
        self._allow_force_fallback = util.default(allow_force_fallback, False)

    def _options(self) -> List[Row]:
        if self._default:
            inference = flag(
                "--no-shape-inference",
                "Do not infer the shapes and types of tensors.",
                off=True,
                default=True,
            )
        else:
            inference = flag(
                "--shape-inference --do-shape-inference",
                "Infer the shapes and types of tensors when the model is loaded.",
                default=False,
            )
        return [
            {**inference, "dest": "do_shape_inference", "exclusive": 1},
            flag(
                "--force-fallback-shape-inference",
                "Run the model on ONNX Runtime with generated inputs and take the shapes and types "
                "seen there. Dynamic dimensions become static.",
                exclusive=1,
                attribute="force_fallback",
                offered=self._allow_force_fallback,
            ),
            flag(
                "--no-onnxruntime-shape-inference",
                "Accepted for compatibility: shapes are always inferred by the onnx library's "
                "rules.",
                off=True,
                dest="allow_onnxruntime",
            ),
        ]

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            do_shape_inference (bool): Whether to infer shapes.
            force_fallback (bool): Whether to run the model for its shapes instead.
            allow_onnxruntime (bool): The argument of `InferShapes` of this name.
        """
        super().parse_impl(args)
        # The two exclude each other, also if inference is on by default.
        if self.force_fallback:
            self.do_shape_inference = False

    def add_to_script_impl(self, script, loader_name):
        """Adds shape inference, but not fallback shape inference, if the options request it.

        Args:
            script: The script.
            loader_name: The variable of the model's loader, or the model's path.

        Returns:
            Script.String: The variable of the loader to use from then on.
        """
        if not self.do_shape_inference:
            return loader_name
        loading = self._group_named("OnnxLoadArgs")
        return script.add_backend_loader(
            "onnx",
            "InferShapes",
            "infer_shapes",
            loader_name,
            external_data_dir=loading.external_data_dir if loading else None,
            allow_onnxruntime=self.allow_onnxruntime,
        )

    def infer_shapes(self, model, force: Optional[bool] = None):
        """Infers shapes now, if the options request it.

        Args:
            model: An ONNX model, or its path.
            force: Whether to do it in any case. No if left out.

        Returns:
            onnx.ModelProto: The model with shapes; `model` itself if it stays as it is.
        """
        do_it = True if force else self.do_shape_inference
        if not do_it:
            return model
        with util.TempAttrChange(self, {"do_shape_inference": do_it}):
            return args_util.run_script(self.add_to_script, model)()

    def fallback_inference(self, onnx_model, outputs: Optional[List[str]] = None):
        """Runs a model on ONNX Runtime, with the inputs of DataLoaderArgs.

        Args:
            onnx_model: The ONNX model.
            outputs: The tensors to return. All of them if left out.

        Returns:
            Tuple[IterationResult, TensorMetadata]:
                The values of these tensors and of the inputs, and their types and shapes.
        """
        from polygraphy.backend import onnx as onnx_backend
        from polygraphy.backend import onnxrt as onnxrt_backend
        from polygraphy.comparator import DataLoader, IterationResult
        from polygraphy.comparator.data_loader import DataLoaderCache

        # One level quieter: the user wants shapes, not messages of the run.
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
