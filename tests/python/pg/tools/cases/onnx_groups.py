"""Groups about ONNX models, ONNX Runtime and references: options, attributes, scripts."""

from argument_groups import add_to_script, attempt, command_lines, describe_parser, parse
from polygraphy.tools.args import (
    DataLoaderArgs,
    ModelArgs,
    OnnxFromTfArgs,
    OnnxInferShapesArgs,
    OnnxLoadArgs,
    OnnxrtRunnerArgs,
    OnnxrtSessionArgs,
    OnnxSaveArgs,
    PluginRefRunnerArgs,
    TfLoadArgs,
)
from polygraphy.tools.script import inline, safe

for name in ("a.onnx", "k.hdf5", "e.engine"):
    open(name, "w").close()

for default in (None, True, False):
    for fallback in (None, True):
        describe_parser([OnnxInferShapesArgs(default, fallback)])
for config in (
    {},
    {"allow_shape_inference": True},
    {"output_opt": "save-onnx", "output_short_opt": False},
    {"output_opt": False},
    {"output_short_opt": "-x", "output_opt_required": True},
    {"output_default_path": "default.onnx"},
    {"allow_multiple_models": True, "output_default_path": "folder"},
):
    describe_parser([OnnxSaveArgs(**config)])
for config in (
    {},
    {"outputs_opt_prefix": False},
    {"outputs_opt_prefix": ""},
    {"outputs_opt_prefix": "my-"},
    {"allow_setting_upper_bounds": True, "allow_from_tf": True, "allow_saving": True},
):
    describe_parser([OnnxLoadArgs(**config)])
describe_parser([OnnxFromTfArgs(), OnnxrtSessionArgs()])


def everything():
    return [
        ModelArgs(),
        OnnxLoadArgs(allow_saving=True, allow_from_tf=True, allow_setting_upper_bounds=True),
        OnnxInferShapesArgs(allow_force_fallback=True),
        OnnxSaveArgs(allow_shape_inference=True),
        OnnxFromTfArgs(),
        TfLoadArgs(),
        DataLoaderArgs(),
        OnnxrtSessionArgs(),
        OnnxrtRunnerArgs(),
        PluginRefRunnerArgs(),
    ]


def little():
    return [
        ModelArgs(model_opt_required=True),
        OnnxLoadArgs(allow_shape_inference=False, outputs_opt_prefix=False),
        OnnxSaveArgs(output_opt_required=True),
        OnnxrtSessionArgs(),
    ]


def inferring():
    return [
        ModelArgs(required_model_type="onnx"),
        OnnxLoadArgs(outputs_opt_prefix=""),
        OnnxInferShapesArgs(default=True, allow_force_fallback=True),
        OnnxSaveArgs(allow_multiple_models=True, output_default_path="folder"),
        OnnxrtSessionArgs(),
        OnnxrtRunnerArgs(),
    ]


LOADING = {
    "--external-data-dir": [["d"], ["/d e"], []],
    "--load-external-data": [["d"]],
    "--ext": [["d"]],
    "--ignore-external-data": [[]],
    "--fp-to-fp16": [[]],
}
OUTPUTS = {
    "outputs": [["h"], ["h", "y"], ["mark", "all"], ["*"], ["*", "y"], []],
    "exclude-outputs": [["y"], ["x y", "z'"], []],
    "outputs-by-type": [["Relu"], ["relu", "Add"], []],
}
SAVING = {
    "-o": [["s.onnx"], [""], []],
    "--output": [["f/s.onnx"]],
    "--save-external-data": [[], ["w.bin"], [""], ["a", "--save-external-data", "b"]],
    "--external-data-path": [["w.bin"]],
    "--external-data-size-threshold": [["0"], ["1.5K"], ["x"], []],
    "--no-save-all-tensors-to-one-file": [[]],
}
INFERENCE = {
    "--force-fallback-shape-inference": [[]],
    "--no-onnxruntime-shape-inference": [[]],
}
SESSION = {
    "--providers": [["cpu"], ["CUDA", "cpu"], []],
    "--execution-providers": [["x"]],
    "--graph-optimization-level": [["ORT_DISABLE_ALL"], ["nope"], ["a b"], ["a.b"], []],
}
ALL = {
    **LOADING,
    **{f"--onnx-{name}": values for name, values in OUTPUTS.items()},
    **SAVING,
    **INFERENCE,
    **SESSION,
    "--shape-inference": [[]],
    "--do-shape-inference": [[]],
    "--opset": [["11"], ["x"]],
    "--tf-outputs": [["a"], ["mark", "all"]],
    "--freeze-graph": [[]],
    "--inputs": [["x:[1,2]"]],
    "--model-type": [["frozen"], ["engine"]],
}
INFERRING = {
    **LOADING,
    **{f"--{name}": values for name, values in OUTPUTS.items()},
    **SAVING,
    **INFERENCE,
    **SESSION,
    "--no-shape-inference": [[]],
    "--shape-inference": [[]],
}
UPPER_BOUNDS = [["5"], ["h:5", "y:7"], ["a:b:1_000", ":3"], []]


def check(groups, argv) -> None:
    if not parse(groups, argv):
        return
    load = groups[1]
    if groups[0].model_type is None:
        return
    for custom in (None, True, False):
        print("   must load", bool(attempt(load.must_use_onnx_loader, custom)))
    add_to_script(load)
    add_to_script(load, disable_custom_outputs=True)
    add_to_script(load, serialize_model=True)
    for group in groups[2:]:
        if isinstance(group, (OnnxInferShapesArgs, OnnxSaveArgs, OnnxrtSessionArgs)):
            add_to_script(group, inline(safe("loader")))
        if isinstance(group, (OnnxrtSessionArgs, OnnxrtRunnerArgs, PluginRefRunnerArgs)):
            add_to_script(group)
        if isinstance(group, OnnxFromTfArgs):
            add_to_script(group)


for argv in command_lines(["a.onnx"], ALL, 120):
    check(everything(), argv)
for argv in command_lines(["k.hdf5"], ALL, 30, seed=1):
    check(everything(), argv)
for argv in (["e.engine"], ["missing.onnx"], ["k.hdf5", "--model-type", "onnx"]):
    check(everything(), argv)
for bounds in UPPER_BOUNDS:
    groups = everything()
    if parse(groups, ["a.onnx", "--set-unbounded-dds-upper-bound", *bounds]):
        print("   must load", bool(groups[1].must_use_onnx_loader()))
        add_to_script(groups[1])
for argv in command_lines(["a.onnx"], {**LOADING, **SAVING, **SESSION}, 30, seed=2):
    check(little(), argv)
for argv in command_lines(["a.onnx"], INFERRING, 60, seed=3):
    check(inferring(), argv)
print(OnnxrtRunnerArgs().get_name_opt(), PluginRefRunnerArgs().get_name_opt())
