"""The runner of references in NumPy."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.tools.args.backend.onnx.loader import OnnxLoadArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import make_invocable


@mod.export()
class PluginRefRunnerArgs(BaseRunnerArgs):
    """
    Plugin Reference Runner Inference: running models with references in NumPy

    Depends on:

        - OnnxLoadArgs
    """

    def get_name_opt_impl(self):
        return "Plugin CPU Reference", "pluginref"

    def add_to_script_impl(self, script) -> None:
        script.add_import(["GsFromOnnx"], frm="polygraphy.backend.onnx")
        script.add_import(["PluginRefRunner"], frm="polygraphy.backend.pluginref")
        model = self.arg_groups[OnnxLoadArgs].add_to_script(script)
        graph = script.add_backend_loader("onnx", "GsFromOnnx", "pluginref", model)
        script.add_runner(make_invocable("PluginRefRunner", graph))
