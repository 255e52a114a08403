"""Options of loading, building and saving engines of TensorRT."""

from __future__ import annotations

from typing import Dict, Optional

from polygraphy import mod, util
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.trt.config import TrtConfigArgs
from polygraphy.tools.args.backend.trt.loader._network import TrtLoadNetworkArgs, TrtLoadPluginsArgs
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.model import ModelArgs
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


@mod.export()
class TrtLoadEngineBytesArgs(TableArgs):
    """TensorRT Engine: loading or building engines

    Depends on:

        - ModelArgs
        - TrtLoadPluginsArgs
        - TrtLoadNetworkArgs: where engines are built
        - TrtConfigArgs: where engines are built
        - TrtSaveEngineBytesArgs: if `allow_saving` is True

    Args:
        allow_saving: Whether engines that are built may be saved. False if left out.

    Attributes:
        save_timing_cache (str): File that the timing cache is added to
    """

    _BACKEND = "tensorrt"
    _OWN = {"loader": ("EngineBytesFromNetwork",)}

    def __init__(self, allow_saving: Optional[bool] = None):
        super().__init__()
        self._allow_saving = util.default(allow_saving, False)

    def add_to_script_impl(
        self, script: Script, network_name: Optional[str] = None
    ) -> Script.String:
        """Adds an engine to a script: the model, or an engine that the script builds.

        Args:
            script: The script.
            network_name: The variable with a loader of the network, in place of the model's.

        Returns:
            The variable with a loader of the engine's bytes.
        """
        groups = self.arg_groups
        model = groups[ModelArgs]
        if model.model_type == "engine":
            return script.add_backend_loader(
                "common", "BytesFromPath", "load_engine_bytes", model.path
            )

        obj = network_name
        if obj is None:
            obj = groups[TrtLoadNetworkArgs].add_to_script(script)
        config = None
        if TrtConfigArgs in groups:
            config = groups[TrtConfigArgs].add_to_script(script)
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        name = script.add_backend_loader(
            "trt",
            "EngineBytesFromNetwork",
            "build_engine",
            obj,
            config=config,
            **self.arguments_of("EngineBytesFromNetwork"),
        )
        if self._allow_saving and TrtSaveEngineBytesArgs in groups:
            name = groups[TrtSaveEngineBytesArgs].add_to_script(script, name)
        return name

    def load_engine_bytes(self, network=None):
        """Reads or builds the engine.

        Args:
            network: Tuple[trt.Builder, trt.INetworkDefinition, Optional[trt.OnnxParser]], or a
                function that returns these: the network to build, in place of the model's.

        Returns:
            bytes: The engine; `trt.IHostMemory` if TensorRT built it.
        """
        return args_util.run_script(self.add_to_script, network)()


@mod.export()
class TrtLoadEngineArgs(TableArgs):
    """TensorRT Engine: loading engines

    Depends on:

        - TrtLoadEngineBytesArgs
        - TrtLoadPluginsArgs
    """

    _BACKEND = "tensorrt"
    _OWN = {"loader": ("LoadRuntime", "EngineFromBytes")}

    @property
    def save_timing_cache(self) -> Optional[str]:
        """str: File that the timing cache is added to"""
        return self.arg_groups[TrtLoadEngineBytesArgs].save_timing_cache

    def _changes(self) -> Dict[str, Row]:
        return {"load_runtime": {"attribute": "load_runtime"}}

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            load_runtime (str): Runtime library for engines without a lean runtime
            dla_workspace_allocation_strategy (str): Allocation strategy for DLA's workspace, code
        """
        super().parse_impl(args)
        self.load_runtime = args_util.parse_path(self.load_runtime, "Runtime")

    def add_to_script_impl(
        self, script: Script, network_name: Optional[str] = None
    ) -> Script.String:
        """Adds an engine to a script.

        Args:
            script: The script.
            network_name: The variable with a loader of the network, in place of the model's.

        Returns:
            The variable with a loader of the engine.
        """
        groups = self.arg_groups
        obj = groups[TrtLoadEngineBytesArgs].add_to_script(script, network_name)
        runtime = None
        if self.load_runtime is not None:
            runtime = script.add_backend_loader(
                "trt", "LoadRuntime", "load_runtime", self.load_runtime
            )
        if TrtLoadPluginsArgs in groups:
            obj = groups[TrtLoadPluginsArgs].add_to_script(script, obj)
        arguments = self.arguments_of("EngineFromBytes")
        if any(value is not None for value in arguments.values()):
            script.import_trt()
        return script.add_backend_loader(
            "trt",
            "EngineFromBytes",
            "deserialize_engine",
            obj,
            runtime=runtime,
            **arguments,
        )

    def load_engine(self, network=None):
        """Reads or builds the engine.

        Args:
            network: As of `TrtLoadEngineBytesArgs.load_engine_bytes`.

        Returns:
            trt.ICudaEngine: The engine, which the caller owns.
        """
        return args_util.run_script(self.add_to_script, network)()
