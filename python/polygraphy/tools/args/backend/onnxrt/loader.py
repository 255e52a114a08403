"""Options of ONNX Runtime's sessions."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.onnx.loader import OnnxLoadArgs
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.script import inline, inline_identifier, make_invocable, safe


@mod.export()
class OnnxrtSessionArgs(BaseArgs):
    """
    ONNX-Runtime Session Creation: sessions of ONNX Runtime

    Depends on:
        - OnnxLoadArgs
        - ModelArgs
    """

    def add_parser_args_impl(self) -> None:
        self.group.add_argument(
            "--providers",
            "--execution-providers",
            help="Execution providers in order of priority: a full name, or a part of one in any "
            "case ('cpu'). Default: cpu.",
            nargs="+",
            default=None,
            dest="providers",
        )
        self.group.add_argument(
            "--graph-optimization-level",
            help="How far ONNX Runtime may rewrite the graph: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, "
            "ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (the default).",
            default=None,
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            providers (List[str]): Execution providers. None: that of processors.
            graph_optimization_level (str): The name of a level of optimization. None: all of it.
        """
        self.providers = args_util.get(args, "providers")
        self.graph_optimization_level = args_util.get(args, "graph_optimization_level")

    def add_to_script_impl(self, script, onnx_name=None):
        """Adds making a session.

        Args:
            script: The script.
            onnx_name: The variable of the ONNX model, as bytes. If left out, what the options say
                is loaded: the runtime reads the file if nothing is to be done with it.

        Returns:
            Script.String: The variable of what makes the session.
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
        session = make_invocable(
            "SessionFromOnnx",
            onnx_name,
            providers=self.providers,
            graph_optimization_level=level,
        )
        return script.add_loader(session, "build_onnxrt_session")

    def load_onnxrt_session(self, model=None):
        """Makes a session now.

        Args:
            model: The ONNX model, as bytes, or its path. What the options say if left out.

        Returns:
            onnxruntime.InferenceSession: The session.
        """
        return args_util.run_script(self.add_to_script, model)()
