"""Options of TensorFlow's models."""

from __future__ import annotations

from typing import Dict, List, Optional

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option
from polygraphy.tools.script import Script


@mod.export()
class TfTrtArgs(TableArgs):
    """[UNTESTED] TensorFlow-TensorRT Integration: TensorRT in TensorFlow

    Depends on:

        - TrtConfigArgs: for precisions and the size of the workspace

    Attributes:
        use_tftrt (bool): Whether TensorRT runs parts of graphs
        minimum_segment_size (int): Minimum number of nodes in such a part
        dynamic_op (bool): Whether to build engines at run time
    """

    def _options(self) -> List[Row]:
        return [
            flag(
                "--tftrt --use-tftrt",
                "Let TensorRT run parts of graphs.",
                dest="use_tftrt",
            ),
            option(
                "--minimum-segment-size",
                "Minimum number of nodes in such a part.",
                type="integer",
            ),
            flag(
                "--dynamic-op",
                "Build engines at run time, for dynamic shapes.",
            ),
        ]

    def add_to_script_impl(self, script: Script, loader_name: Optional[str] = None):
        """Lets TensorRT run parts of a graph, if the options request it.

        Args:
            script: The script.
            loader_name: The variable with a loader of the graph.

        Returns:
            The variable with a loader of the changed graph; `loader_name` without a change.
        """
        if not self.use_tftrt:
            return loader_name
        precisions = {}
        config = self._group_named("TrtConfigArgs")
        if config is not None:
            workspace = args_util.make_trt_enum_val("MemoryPoolType", "workspace")
            precisions = {
                "max_workspace_size": (config.memory_pool_limits or {}).get(workspace),
                "fp16": config.fp16,
                "int8": config.int8,
            }
        return script.add_backend_loader(
            "tf",
            "UseTfTrt",
            "use_tftrt",
            loader_name,
            **precisions,
            is_dynamic_op=self.dynamic_op,
            minimum_segment_size=self.minimum_segment_size,
        )


@mod.export()
class TfLoadArgs(TableArgs):
    """TensorFlow Model Loading: TensorFlow models

    Depends on:

        - ModelArgs
        - TfTrtArgs: if `allow_tftrt` is True
        - TrtSaveEngineBytesArgs: if `allow_tftrt` is True

    Args:
        allow_artifacts: Whether graphs may be saved. True if left out.
        allow_custom_outputs: Whether other tensors than the graph's outputs may be outputs. True
            if left out.
        allow_tftrt: Whether TensorRT may run parts of graphs. False if left out.
    """

    _BACKEND = "tensorflow"
    _OWN = {"heading": (None,)}

    def __init__(
        self,
        allow_artifacts: Optional[bool] = None,
        allow_custom_outputs: Optional[bool] = None,
        allow_tftrt: Optional[bool] = None,
    ):
        super().__init__()
        self._allow_artifacts = util.default(allow_artifacts, True)
        self._allow_custom_outputs = util.default(allow_custom_outputs, True)
        self._allow_tftrt = util.default(allow_tftrt, False)

    def _changes(self) -> Dict[str, Row]:
        saving = {"offered": self._allow_artifacts}
        return {
            "tf_outputs": {"offered": self._allow_custom_outputs, "attribute": "outputs"},
            "save_pb": {**saving, "dest": "save_frozen_graph_path"},
            "save_tensorboard": {**saving, "dest": "save_tensorboard_path"},
        }

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            ckpt (str): Name of a checkpoint
            outputs (Union[List[str], str]): Tensors to mark as outputs, or `constants.MARK_ALL`
            save_frozen_graph_path (str): File that the frozen graph is saved to
            save_tensorboard_path (str): Folder that the graph is saved to for TensorBoard
            freeze_graph (bool): Whether to freeze the graph
        """
        super().parse_impl(args)
        self.outputs = args_util.get_outputs(args, "tf_outputs")

    def _add_graph(self, script: Script) -> Script.String:
        """The graph as the model has it."""
        model = self.arg_groups[ModelArgs]
        args = [model.path]
        if model.model_type == "ckpt":
            name, variable = "GraphFromCkpt", "load_ckpt"
            args.append(self.ckpt)
        elif model.model_type == "keras":
            name, variable = "GraphFromKeras", "load_keras"
        elif model.model_type == "frozen":
            name, variable = "GraphFromFrozen", "load_frozen"
        else:
            G_LOGGER.critical(f"Model type: {model.model_type} cannot be imported with TensorFlow.")
        return script.add_backend_loader("tf", name, variable, *args)

    def add_to_script_impl(
        self, script: Script, disable_custom_outputs: Optional[bool] = None
    ) -> Script.String:
        """Adds the graph to a script.

        Args:
            script: The script.
            disable_custom_outputs: Whether the graph's own outputs stay, whatever the options say.

        Returns:
            The variable with the loader of the graph.

        Raises:
            PolygraphyException: If the model is not a model of TensorFlow.
        """
        groups = self.arg_groups
        graph = self._add_graph(script)
        if self.freeze_graph:
            graph = script.add_backend_loader("tf", "OptimizeGraph", "optimize_graph", graph)
        if self._allow_tftrt and TfTrtArgs in groups:
            graph = groups[TfTrtArgs].add_to_script(script, graph)
        if not disable_custom_outputs:
            outputs = args_util.get_outputs_for_script(script, self.outputs)
            graph = script.add_change(
                "tf", "ModifyGraphOutputs", "modify_tf", graph, outputs=outputs
            )
        saving = self._group_named("TrtSaveEngineBytesArgs") if self._allow_tftrt else None
        engine_dir = saving.path if saving is not None else None
        return script.add_change(
            "tf",
            "SaveGraph",
            "save_tf",
            graph,
            path=self.save_frozen_graph_path,
            tensorboard_dir=self.save_tensorboard_path,
            engine_dir=engine_dir,
        )

    def load_graph(self):
        """Makes the graph.

        Returns:
            Tuple[tf.Graph, Sequence[str]]: The graph and the names of its outputs.
        """
        return args_util.run_script(self.add_to_script)()
