"""ModelArgs and RunnerSelectArgs."""

import os

from argument_groups import add_to_script, attempt, command_lines, describe_parser, parse
from polygraphy.tools.args import (
    ModelArgs,
    OnnxLoadArgs,
    OnnxrtRunnerArgs,
    OnnxrtSessionArgs,
    PluginRefRunnerArgs,
    RunnerSelectArgs,
)
from polygraphy.tools.args.backend.runner_select import RunnerOptList, make_action_cls
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import safe

for name in ("a.onnx", "b.engine", "c.plan", "d.py", "e.pb", "f.hdf5", "g.ONNX", "h"):
    open(name, "w").close()
os.makedirs("checkpoints")

ModelType = ModelArgs.ModelType
print(ModelArgs.EXT_MODEL_TYPE_MAPPING, ModelType.VALID_TYPES)
for name in ModelType.VALID_TYPES:
    model_type = ModelType(name)
    print(model_type, model_type.is_tf(), model_type.is_onnx(), model_type.is_trt())
try:
    ModelType("nope")
except AssertionError:
    print("no such type")

PATHS = [
    ["a.onnx"],
    ["./a.onnx"],
    ["b.engine"],
    ["c.plan"],
    ["d.py"],
    ["d.py:function"],
    ["d.py:a:b"],
    ["missing.py:function"],
    ["e.pb"],
    ["f.hdf5"],
    ["g.ONNX"],
    ["h"],
    ["checkpoints"],
    ["missing.onnx"],
    ["a.onnx:what"],
    ["x.graphdef"],
    ["u.uff"],
    ["v.prototxt"],
    ["a.onnx", "b.onnx"],
]
OPTIONS = {
    "--model-type": [[name] for name in ModelType.VALID_TYPES] + [["nope"], []],
    "--input-shapes": [["x:[1,2]"], ["x:[b,-1]", "y:[]"], ["x:auto"], ["a:b:[1]"], []],
    "--inputs": [["x:[1]", "x:[2]"], ["x:[1, 2]"]],
    "--input-sh": [["x:[1]"]],
}
CONFIGS = [
    {},
    {"model_opt_required": True},
    {"required_model_type": "onnx"},
    {"required_model_type": "engine"},
    {"required_model_type": "trt-network-script"},
    {"input_shapes_opt_name": False},
    {"input_shapes_opt_name": "model-inputs", "input_shapes_opt_doc": "Shapes."},
]
for config in CONFIGS:
    print("====", config)
    describe_parser([ModelArgs(**config)])
    for path in [[], *PATHS]:
        parse([ModelArgs(**config)], path)
    for argv in command_lines(["h"], OPTIONS, 10):
        parse([ModelArgs(**config)], argv)


class Mine(BaseRunnerArgs):
    """Mine: mine"""

    def get_name_opt_impl(self):
        return "My Runner", "my-runner"

    def get_extra_help_text_impl(self):
        return "And more."

    def add_to_script_impl(self, script):
        script.add_runner(safe("MyRunner()"))


class Tf(BaseRunnerArgs):
    """Tf: Tf"""

    def get_name_opt_impl(self):
        return "Tf", "tf"

    def add_to_script_impl(self, script):
        script.add_runner(safe("TfRunner()"))


def groups():
    return [
        RunnerSelectArgs(),
        ModelArgs(guess_model_type_from_runners=True),
        Mine(),
        OnnxrtRunnerArgs(),
        OnnxLoadArgs(allow_shape_inference=False),
        OnnxrtSessionArgs(),
        PluginRefRunnerArgs(),
        Tf(),
    ]


describe_parser(groups())
RUNNERS = {
    option: [[]]
    for option in ("--my-runner", "--onnxrt", "--pluginref", "--tf", "--my", "--onnx", "--plug")
}
for path in (["a.onnx"], ["h"], ["missing"]):
    for argv in command_lines(path, RUNNERS, 15):
        all_groups = groups()
        if parse(all_groups, argv):
            runners = all_groups[0].runners
            print("  ", list(runners.keys()), list(runners.values()), list(runners.items()))
            add_to_script(all_groups[0])

runners = RunnerOptList([("a", "b"), ("c", "d")])
print(runners, repr(runners), "a" in runners, ("a", "b") in runners, len(runners), runners[0])
print(runners == RunnerOptList([("a", "b"), ("c", "d")]), RunnerOptList() == runners)
attempt(runners.append, 5)
runners.append(("e", "f"))
runners.extend([("g", "h")])
print(runners, list(runners.keys()))
print(make_action_cls(("x", "X")).__name__)
