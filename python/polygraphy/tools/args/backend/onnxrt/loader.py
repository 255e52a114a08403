"""Options of ONNX Runtime's sessions."""

from __future__ import annotations

from typing import Dict

from polygraphy import mod
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader import OnnxLoadArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs
from polygraphy.tools.script import inline, inline_identifier, safe


@mod.export()
class OnnxrtSessionArgs(TableArgs):
    """
    ONNX-Runtime Session Creation: sessions of ONNX Runtime

    Depends on:

        - OnnxLoadArgs
        - ModelArgs

    Attributes:
        providers (List[str]): Execution providers. None: cpu.
        graph_optimization_level (str): Name of a level of graph rewrites. None: all rewrites.
    """

    _BACKEND = "onnxrt"

    def _changes(self) -> Dict[str, Row]:
        # Here, libraries of providers are not loaded.
        return {
            "providers": {
                "help": "Execution providers in order of priority: a full name, or a part of one "
                "in any case ('cpu'). Default: cpu."
            }
        }

    def add_to_script_impl(self, script, onnx_name=None):
        """Adds making a session.

        Args:
            script: The script.
            onnx_name: The variable of the ONNX model, as bytes. If left out, what the options say
                is loaded: the runtime reads the file if nothing is to be done with it.

        Returns:
            Script.String: The variable of the session's loader.
        """
        if onnx_name is None:
            load = self.arg_groups[OnnxLoadArgs]
            if load.must_use_onnx_loader():
                onnx_name = load.add_to_script(script, serialize_model=True)
            else:
                onnx_name = self.arg_groups[ModelArgs].path

        script.add_import(["SessionFromOnnx"], frm="polygraphy.backend.onnxrt")
        level = None
        if self.graph_optimization_level is not None:
            script.add_import("onnxruntime", imp_as="onnxrt")
            name = inline_identifier(self.graph_optimization_level)
            level = inline(safe("onnxrt.GraphOptimizationLevel.{:}", name))
        return script.add_backend_loader(
            "onnxrt",
            "SessionFromOnnx",
            "build_onnxrt_session",
            onnx_name,
            **self.arguments_of("SessionFromOnnx"),
            graph_optimization_level=level,
        )

    def load_onnxrt_session(self, model=None):
        """Makes a session now.

        Args:
            model: The ONNX model, as bytes, or its path. The model of the options if left out.

        Returns:
            onnxruntime.InferenceSession: The session.
        """
        return args_util.run_script(self.add_to_script, model)()
