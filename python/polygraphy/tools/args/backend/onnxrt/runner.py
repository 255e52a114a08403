"""The runner of ONNX Runtime."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.tools.args.backend.onnxrt.loader import OnnxrtSessionArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import make_invocable


@mod.export()
class OnnxrtRunnerArgs(BaseRunnerArgs):
    """
    ONNX-Runtime Inference: running models with ONNX Runtime

    Depends on:

        - OnnxrtSessionArgs
    """

    def get_name_opt_impl(self):
        return "ONNX-Runtime", "onnxrt"

    def add_to_script_impl(self, script) -> None:
        script.add_import(["OnnxrtRunner"], frm="polygraphy.backend.onnxrt")
        session = self.arg_groups[OnnxrtSessionArgs].add_to_script(script)
        script.add_runner(make_invocable("OnnxrtRunner", session))
