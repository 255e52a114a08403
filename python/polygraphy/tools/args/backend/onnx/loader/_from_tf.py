"""Options of converting models of TensorFlow to ONNX."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.tools.args.backend.tf.loader import TfLoadArgs
from polygraphy.tools.args.table import TableArgs


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
