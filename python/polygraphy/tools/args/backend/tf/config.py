"""Options of TensorFlow's sessions."""

from __future__ import annotations

from typing import Optional

from polygraphy import mod
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.script import Script, make_invocable_if_nondefault


@mod.export()
class TfConfigArgs(BaseArgs):
    """TensorFlow Session Configuration: sessions of TensorFlow"""

    def add_parser_args_impl(self):
        add = self.group.add_argument
        add(
            "--gpu-memory-fraction",
            type=float,
            default=None,
            help="How much of the GPU's memory TensorFlow may take, of 0 to 1.",
        )
        add(
            "--allow-growth",
            action="store_true",
            default=None,
            help="Take the GPU's memory bit by bit.",
        )
        add("--xla", action="store_true", default=None, help="Compile graphs with XLA.")

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            gpu_memory_fraction (float): How much of the GPU's memory may be taken, of 0 to 1
            allow_growth (bool): Whether it is taken bit by bit
            xla (bool): Whether graphs are compiled with XLA
        """
        self.gpu_memory_fraction = args_util.get(args, "gpu_memory_fraction")
        self.allow_growth = args_util.get(args, "allow_growth")
        self.xla = args_util.get(args, "xla")

    def add_to_script_impl(self, script: Script) -> Optional[Script.String]:
        """Adds the configuration to a script.

        Returns:
            The variable with the loader of the configuration; None for the default one.
        """
        loader = make_invocable_if_nondefault(
            "CreateConfig",
            gpu_memory_fraction=self.gpu_memory_fraction,
            allow_growth=self.allow_growth,
            use_xla=self.xla,
        )
        if loader is None:
            return None
        script.add_import(imports=["CreateConfig"], frm="polygraphy.backend.tf")
        return script.add_loader(loader, "create_tf_config")
