"""Options of TensorFlow's sessions."""

from __future__ import annotations

from typing import Dict, Optional

from polygraphy import mod
from polygraphy.tools.args.table import Row, TableArgs
from polygraphy.tools.script import Script, make_invocable_if_nondefault


@mod.export()
class TfConfigArgs(TableArgs):
    """TensorFlow Session Configuration: sessions of TensorFlow

    Attributes:
        gpu_memory_fraction (float): Maximum fraction of the GPU's memory
        allow_growth (bool): Whether to allocate the GPU's memory on demand
        xla (bool): Whether to compile graphs with XLA
    """

    _BACKEND = "tensorflow"
    _OWN = {"loader": ("CreateConfig",)}

    def _changes(self) -> Dict[str, Row]:
        return {"xla": {"attribute": "xla"}}

    def add_to_script_impl(self, script: Script) -> Optional[Script.String]:
        """Adds the configuration to a script.

        Returns:
            The variable with the loader of the configuration; None for the default one.
        """
        loader = make_invocable_if_nondefault("CreateConfig", **self.arguments_of("CreateConfig"))
        if loader is None:
            return None
        script.add_import(imports=["CreateConfig"], frm="polygraphy.backend.tf")
        return script.add_loader(loader, "create_tf_config")
