"""Options of saving engines of TensorRT."""

from __future__ import annotations

from typing import Dict, Optional

from polygraphy import mod, util
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.table import Row, TableArgs
from polygraphy.tools.script import Script


@mod.export()
class TrtSaveEngineBytesArgs(TableArgs):
    """TensorRT Engine Saving: where engines are saved

    Args:
        output_opt: The option, without dashes. False: leave it out. `"output"` if left out.
        output_short_opt: Its short form, with a dash. False: leave it out. `"-o"` if left out.

    Attributes:
        path (str): File that the engine is saved to
    """

    _BACKEND = "tensorrt"
    _OWN = {"key": ("save_engine",)}

    def __init__(self, output_opt: Optional[str] = None, output_short_opt: Optional[str] = None):
        super().__init__()
        self._output_opt = util.default(output_opt, "output")
        self._output_short_opt = util.default(output_short_opt, "-o")

    def _changes(self) -> Dict[str, Row]:
        names = [self._output_short_opt, f"--{self._output_opt}"]
        return {
            "save_engine": {
                "spellings": [name for name in names if name],
                "offered": bool(self._output_opt),
            }
        }

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Saves an engine, if the options have a path.

        Args:
            script: The script.
            loader_name: The variable with a loader of the engine's bytes.

        Returns:
            The variable with a loader that saves them, too; `loader_name` without a path.
        """
        return script.add_change(
            "common", "SaveBytes", "save_engine_bytes", loader_name, path=self.path
        )

    def save_engine_bytes(self, engine_bytes, path: Optional[str] = None):
        """Saves an engine, if the options have a path.

        Args:
            engine_bytes: The engine's bytes, or a function that returns them.
            path: Where to save it, in place of the option.

        Returns:
            bytes: The engine's bytes.
        """
        from polygraphy.backend.common import save_bytes

        path = util.default(path, self.path)
        if path is None:
            return util.invoke_if_callable(engine_bytes)[0]
        return save_bytes(engine_bytes, path)


@mod.export()
@mod.deprecate(remove_in="0.55.0", use_instead="TrtSaveEngineBytesArgs")
class TrtSaveEngineArgs(BaseArgs):
    """TensorRT Engine Saving: where engines are saved

    Depends on:

        - TrtSaveEngineBytesArgs
    """

    @property
    def path(self) -> Optional[str]:
        """str: File that the engine is saved to"""
        return self.arg_groups[TrtSaveEngineBytesArgs].path

    def add_to_script_impl(self, script: Script, loader_name: str) -> str:
        """Saves an engine, if the options have a path.

        Args:
            script: The script.
            loader_name: The variable with a loader of the engine.

        Returns:
            The variable with a loader that saves it, too; `loader_name` without a path.
        """
        return script.add_change("trt", "SaveEngine", "save_engine", loader_name, path=self.path)

    def save_engine(self, engine, path: Optional[str] = None):
        """Saves an engine, if the options have a path.

        Args:
            engine: trt.ICudaEngine, or a function that returns one.
            path: Where to save it, in place of the option.

        Returns:
            trt.ICudaEngine: The engine.
        """
        path = util.default(path, self.path)
        if path is None:
            return util.invoke_if_callable(engine)[0]

        from polygraphy.backend.trt import save_engine

        return save_engine(engine, path)
