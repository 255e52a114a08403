"""Options of the runner of TensorFlow."""

from __future__ import annotations

from typing import Tuple

from polygraphy import mod
from polygraphy.tools.args.backend.tf.config import TfConfigArgs
from polygraphy.tools.args.backend.tf.loader import TfLoadArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.args.table import TableArgs
from polygraphy.tools.script import Script, make_invocable


@mod.export()
class TfRunnerArgs(TableArgs, BaseRunnerArgs):
    """TensorFlow Inference: running TensorFlow

    Depends on:

        - TfConfigArgs
        - TfLoadArgs

    Attributes:
        timeline_path (str): Folder for Chrome traces of inferences
    """

    _BACKEND = "tensorflow"
    _OWN = {"loader": ("TfRunner",)}

    def get_name_opt_impl(self) -> Tuple[str, str]:
        return "TensorFlow", "tf"

    def add_to_script_impl(self, script: Script) -> None:
        """Adds the runner to a script."""
        groups = self.arg_groups
        script.add_import(imports=["TfRunner"], frm="polygraphy.backend.tf")
        graph = groups[TfLoadArgs].add_to_script(script)
        config = groups[TfConfigArgs].add_to_script(script) if TfConfigArgs in groups else None
        session = script.add_backend_loader(
            "tf", "SessionFromGraph", "build_tf_session", graph, config=config
        )
        script.add_runner(make_invocable("TfRunner", session, **self.arguments_of("TfRunner")))
