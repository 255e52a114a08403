"""All argument groups together, as `polygraphy run` has them, and random command lines."""

import random

from argument_groups import attempt, make_parser, parse
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import *
from polygraphy.tools.script import Script


def groups() -> list:
    return [
        RunnerSelectArgs(),
        ModelArgs(guess_model_type_from_runners=True),
        TfTrtArgs(),
        TfLoadArgs(),
        TfConfigArgs(),
        TfRunnerArgs(),
        OnnxFromTfArgs(),
        OnnxSaveArgs(output_opt="save-onnx", output_short_opt=False),
        OnnxInferShapesArgs(),
        OnnxLoadArgs(allow_saving=True, allow_from_tf=True),
        OnnxrtSessionArgs(),
        OnnxrtRunnerArgs(),
        PluginRefRunnerArgs(),
        DataLoaderArgs(),
        TrtConfigArgs(allow_random_data_calib_warning=False),
        TrtLoadPluginsArgs(),
        TrtOnnxFlagArgs(),
        TrtLoadNetworkArgs(),
        TrtSaveEngineBytesArgs(output_opt="save-engine", output_short_opt=False),
        TrtLoadEngineBytesArgs(allow_saving=True),
        TrtLoadEngineArgs(),
        TrtRunnerArgs(),
        ComparatorRunArgs(),
        ComparatorPostprocessArgs(),
        ComparatorCompareArgs(),
        CompareFuncSimpleArgs(),
        CompareFuncIndicesArgs(),
        CompareFuncL2Args(),
        CompareFuncCosineSimilarityArgs(),
        CompareFuncPsnrArgs(),
        CompareFuncSnrArgs(),
        CompareFuncPerceptualMetricsArgs(),
        LoggerArgs(),
    ]


# Values of options that take no plain text, by where they are kept.
VALUES = {
    "input_shapes": [["x:[1,3]"], ["x:[b,-1]", "y:[2]"]],
    "trt_min_shapes": [["x:[1,3]"]],
    "trt_opt_shapes": [["x:[2,3]"]],
    "trt_max_shapes": [["x:[4,3]"]],
    "val_range": [["[0,1]"], ["x:[2,50]", "[3.0,4.6]"]],
    "verbosity": [["INFO"], ["backend/trt:WARNING"]],
    "external_data_size_threshold": [["1K"], ["16"]],
    "tensor_formats": [["x:[linear,chw4]"]],
    "tensor_dtypes": [["x:float16"]],
    "layer_precisions": [["conv:float16", "relu:float32"]],
    "memory_pool_limit": [["workspace:1G", "dla_local_dram:16e3"]],
    "postprocess": [["top-5"], ["y:top-3,axis=1"]],
    "check_error_stat": [["max"], ["y:mean", "median"]],
    "weight_streaming_budget": [["50%"], ["-1"], ["1M"]],
    "model_file": [["m.onnx"], ["net.py"], ["net.py:f"], ["e.engine"], ["k.hdf5"]],
    "calibration_base_class": [["IInt8MinMaxCalibrator"]],
    # Line numbers are those of either package.
    "log_format": [["timestamp"], ["no-colors"]],
}
NUMBERS = [["5"], ["y:2", "3"]]
KEYED_NUMBERS = ("rtol", "atol", "index_tolerance", "error_quantile")


def values_of(action) -> list:
    """Some values of an option, each a list of texts."""
    if action.nargs == 0:
        return [[]]
    if action.dest in VALUES:
        return VALUES[action.dest]
    if action.choices:
        names = list(action.choices)
        several = [names[:2], names[-1:]] if action.nargs in ("+", "*") else []
        return [[name] for name in names] + several
    if action.dest in KEYED_NUMBERS or action.dest.endswith(("_threshold", "_tolerance")):
        return NUMBERS
    if action.type in (int, float):
        return [["3"]]
    if "script" in action.dest:
        return [["s.py"], ["s.py:func"]]
    return [["a"], ["a", "B2"]] if action.nargs in ("+", "*") else [["a"]]


for name in ("m.onnx", "net.py", "e.engine", "k.hdf5", "s.py"):
    open(name, "w").close()

actions = [action for action in make_parser(groups())._actions if action.dest != "help"]
options = {
    action.option_strings[-1]: values_of(action)
    for action in actions
    if action.option_strings and action.dest != "runners"
}
print(len(options), sorted(options))


def add_all(script, parsed) -> None:
    by_class = {type(group).__name__: group for group in parsed}
    by_class["LoggerArgs"].add_to_script(script)
    by_class["RunnerSelectArgs"].add_to_script(script)
    results = by_class["ComparatorRunArgs"].add_to_script(script)
    by_class["ComparatorCompareArgs"].add_to_script(script, results)


def check(argv) -> None:
    parsed = groups()
    if parse(parsed, argv):
        script = Script(always_create_runners=True)
        attempt(add_all, script, parsed)
        G_LOGGER.module_severity = 20
        print("\n".join(str(script).splitlines()[3:]))
    G_LOGGER.module_severity = 20
    G_LOGGER.timestamp = G_LOGGER.line_info = False
    G_LOGGER.colors = True
    G_LOGGER.log_file = None


rng = random.Random(0)
for option, values in options.items():
    for value in values:
        for path in (["m.onnx"], rng.choice(VALUES["model_file"])):
            runner = rng.choice(["--trt", "--onnxrt", "--tf"])
            check([*path, runner, option, *value])
for _ in range(150):
    argv = list(rng.choice(VALUES["model_file"]))
    argv += rng.sample(["--trt", "--onnxrt", "--pluginref", "--tf"], rng.randint(0, 2))
    for option in rng.sample(sorted(options), rng.randint(1, 6)):
        argv += [option, *rng.choice(options[option])]
    check(argv)
