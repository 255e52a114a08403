"""Options of the runner of TensorFlow."""

from __future__ import annotations

from typing import Tuple

from polygraphy import mod
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.tf.config import TfConfigArgs
from polygraphy.tools.args.backend.tf.loader import TfLoadArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import Script, make_invocable


@mod.export()
class TfRunnerArgs(BaseRunnerArgs):
    """TensorFlow Inference: running TensorFlow

    Needs TfLoadArgs. Uses TfConfigArgs.
    """

    def get_name_opt_impl(self) -> Tuple[str, str]:
        return "TensorFlow", "tf"

    def add_parser_args_impl(self):
        self.group.add_argument(
            "--save-timeline",
            default=None,
            help="A folder for timelines of the runs, as Chrome shows them.",
        )

    def parse_impl(self, args):
        """Sets this attribute:

        Attributes:
            timeline_path (str): A folder for timelines
        """
        self.timeline_path = args_util.get(args, "save_timeline")

    def add_to_script_impl(self, script: Script) -> None:
        """Adds the runner to a script."""
        groups = self.arg_groups
        script.add_import(imports=["TfRunner"], frm="polygraphy.backend.tf")
        graph = groups[TfLoadArgs].add_to_script(script)
        config = groups[TfConfigArgs].add_to_script(script) if TfConfigArgs in groups else None
        script.add_import(imports=["SessionFromGraph"], frm="polygraphy.backend.tf")
        session = script.add_loader(
            make_invocable("SessionFromGraph", graph, config=config), "build_tf_session"
        )
        script.add_runner(make_invocable("TfRunner", session, timeline_path=self.timeline_path))
