"""Options about the model."""

from __future__ import annotations

import os
from typing import Optional

from polygraphy import mod, util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs


@mod.export()
class ModelArgs(BaseArgs):
    """
    Model: the model and the shapes of its inputs

    Depends on:

        - RunnerSelectArgs: if `guess_model_type_from_runners` is True

    Args:
        model_opt_required: Whether there must be a model. No if left out.
        required_model_type: The only type that the tool accepts, a value of `ModelType`. It takes
            the place of the option.
        input_shapes_opt_name: The option for shapes of inputs, without dashes: `inputs` is
            `--inputs`, and also `--input-shapes`. False: leave it out. `inputs` if left out.
        input_shapes_opt_doc: The help text of that option.
        guess_model_type_from_runners: Whether the runner `--tf` says that a model is one of
            TensorFlow. No if left out.
    """

    class ModelType(str):
        """A type of models, by the name that `--model-type` has for it."""

        TF_TYPES = ["frozen", "keras", "ckpt"]
        ONNX_TYPES = ["onnx"]
        TRT_TYPES = ["engine", "uff", "trt-network-script"]
        OTHER_TYPES = ["caffe"]
        VALID_TYPES = TF_TYPES + ONNX_TYPES + TRT_TYPES + OTHER_TYPES

        def __new__(cls, name: str):
            assert name in cls.VALID_TYPES, f"{name} is none of: {cls.VALID_TYPES}"
            return super().__new__(cls, name)

        def is_tf(self) -> bool:
            return self in ModelArgs.ModelType.TF_TYPES

        def is_onnx(self) -> bool:
            return self in ModelArgs.ModelType.ONNX_TYPES

        def is_trt(self) -> bool:
            return self in ModelArgs.ModelType.TRT_TYPES

    EXT_MODEL_TYPE_MAPPING = {
        ".hdf5": "keras",
        ".uff": "uff",
        ".prototxt": "caffe",
        ".onnx": "onnx",
        ".engine": "engine",
        ".plan": "engine",
        ".graphdef": "frozen",
        ".py": "trt-network-script",
    }
    """Dict[str, str]: The types of models whose file names end like this"""

    def __init__(
        self,
        model_opt_required: Optional[bool] = None,
        required_model_type: Optional[str] = None,
        input_shapes_opt_name: Optional[str] = None,
        input_shapes_opt_doc: Optional[str] = None,
        guess_model_type_from_runners: Optional[bool] = None,
    ):
        super().__init__()
        self._model_opt_required = util.default(model_opt_required, False)
        self._required_model_type = required_model_type
        self._input_shapes_opt_name = util.default(input_shapes_opt_name, "inputs")
        self._input_shapes_opt_doc = util.default(
            input_shapes_opt_doc,
            "Shapes of generated inputs, such as image:[1,3,224,224]. Names may have wildcards. "
            "Without one, each dynamic dimension is 1.",
        )
        self._guess_model_type_from_runners = util.default(guess_model_type_from_runners, False)

    def add_parser_args_impl(self) -> None:
        self.group.add_argument(
            "model_file",
            help="The model. A Python script that makes one may name a function: "
            "model.py:load_network.",
            nargs=None if self._model_opt_required else "?",
        )
        if self._required_model_type is None:
            self.group.add_argument(
                "--model-type",
                help="The type of the model, if the file name does not show it.",
                choices=ModelArgs.ModelType.VALID_TYPES,
                default=None,
            )
        if self._input_shapes_opt_name:
            name = self._input_shapes_opt_name
            self.group.add_argument(
                f"--{name.rstrip('s')}-shapes",
                f"--{name}",
                help=f"{self._input_shapes_opt_doc}",
                nargs="+",
                default=None,
                dest="input_shapes",
            )

    def _determine_model_type(self, args) -> Optional[str]:
        given = args_util.get(args, "model_type") or self._required_model_type
        if given:
            return given
        if self.path is None:
            return None
        if args_util.get(args, "ckpt") or os.path.isdir(self.path):
            return "ckpt"
        by_name = ModelArgs.EXT_MODEL_TYPE_MAPPING.get(os.path.splitext(self.path)[1])
        if by_name:
            return by_name
        if self._guess_model_type_from_runners and self._group_named("RunnerSelectArgs"):
            if "tf" in [opt for opt, _ in args_util.get(args, "runners") or []]:
                return "frozen"
        G_LOGGER.critical(
            f"Could not automatically determine model type for: {self.path}\n"
            "Please explicitly specify the type with the --model-type option"
        )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            path (str): The model, absolute if it exists. None without one.
            model_type (ModelArgs.ModelType): Its type. None if no option or file name shows it.
            input_shapes (TensorMetadata): Shapes of inputs, by name. Empty without any.
            extra_model_info (str):
                Text behind the path: the function of a script that makes networks. None without.
        """
        self.input_shapes = TensorMetadata()
        given_shapes = args_util.get(args, "input_shapes")
        if given_shapes:
            self.input_shapes = args_util.parse_meta(given_shapes, includes_dtype=False)

        typed = args_util.get(args, "model_file")
        # A file may have a colon in its name.
        if typed is not None and os.path.exists(typed):
            self.path, self.extra_model_info = typed, None
        else:
            self.path, self.extra_model_info = args_util.parse_script_and_func_name(typed)
        self.path = args_util.parse_path(self.path, "Model")

        model_type = self._determine_model_type(args)
        self.model_type = None if model_type is None else ModelArgs.ModelType(model_type)
        if self.model_type == "trt-network-script":
            self.extra_model_info = self.extra_model_info or "load_network"
            if not (self.path or "").endswith(".py"):
                G_LOGGER.critical(
                    "TensorRT network scripts must exist and have '.py' extensions.\n"
                    f"Note: Provided network script path was: {self.path}"
                )
