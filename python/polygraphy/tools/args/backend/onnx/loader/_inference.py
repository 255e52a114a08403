"""Options of shape inference."""

from __future__ import annotations

from typing import List, Optional

from polygraphy import constants, mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.table import Row, TableArgs, flag


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
