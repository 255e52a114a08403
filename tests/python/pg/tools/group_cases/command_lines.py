"""Random command lines for a parser, with right values and wrong ones."""

import random

PATHS = ["a", "b.json", "net.py", "net.py:f", "d/e", "missing.py:g", "out.so"]

# By destination of the option. Values that the original has no message for are not among them.
VALUES = {
    "shapes": ["x:[1,2]", "y:[3]", "x:[N,4]", "a:b:[5,6]", "x:[]", "*:[2]"],
    "name": ["cublas", "CUDNN", "a_b", "A1", "x.y", "1x", "a b", ""],
    "outputs": ["a", "b", "*", "mark", "all", "t_*"],
    "types": ["x:float16", "y:int8", "a:b:half", "x", ":y", "x:a.b"],
    "formats": ["x:[linear,chw4]", "y:[chw16]", "x:[a.b]", "[a]"],
    "pools": ["workspace:1G", "dla_sram:1.5M", "tactic_dram:12", "ab:x", "1G", "a.b:3"],
    "range": ["[0,1]", "x:[2,3.5]", "x:[-1,1]", "a:b:[1,2]", "[1]", "y:[1,2,3]", "[a,b]"],
    "figure": ["1", "y:2", "1e-3", "y:0.5", "max", "z:mean", "quantile", "elemwise", "nan"],
    "top": ["top-5", "y:top-3", "y:top-3,axis=1", "top-2,0", "bottom-1"],
    "budget": ["25%", "1G", "-1", "-2", "0", "100%", "512", "x"],
    "path": PATHS,
}

KINDS = {
    "trt_min_shapes": "shapes",
    "trt_opt_shapes": "shapes",
    "trt_max_shapes": "shapes",
    "input_shapes": "shapes",
    "layer_precisions": "types",
    "tensor_dtypes": "types",
    "tensor_formats": "formats",
    "memory_pool_limit": "pools",
    "val_range": "range",
    "postprocess": "top",
    "trt_outputs": "outputs",
    "trt_exclude_outputs": "outputs",
    "trt_outputs_by_type": "outputs",
    "mark_debug": "outputs",
    "tf_outputs": "outputs",
    "tactic_sources": "name",
    "preview_features": "name",
    "quantization_flags": "name",
    "hardware_compatibility_level": "name",
    "profiling_verbosity": "name",
    "runtime_platform": "name",
    "engine_capability": "name",
    "tiling_optimization_level": "name",
    "calibration_base_class": "name",
    "onnx_flags": "name",
    "all_tensor_dtypes": "name",
    "all_tensor_formats": "name",
    "dla_workspace_allocation_strategy": "name",
    "weight_streaming_budget": "budget",
    "rtol": "figure",
    "atol": "figure",
    "check_error_stat": "figure",
    "error_quantile": "figure",
    "index_tolerance": "figure",
    "l2_threshold": "figure",
    "cosine_similarity_threshold": "figure",
    "psnr_threshold": "figure",
    "snr_threshold": "figure",
    "lpips_threshold": "figure",
}


def _value(chance: random.Random, action) -> str:
    """A value for an option; the first half of its kind is likelier."""
    if action.choices:
        return chance.choice([*action.choices, *action.choices, "wrong"])
    if action.type is int:
        return chance.choice(["0", "1", "5", "7", "x"])
    if action.type is float:
        return chance.choice(["0", "0.5", "1e-9", "inf", "x"])
    values = VALUES[KINDS.get(action.dest, "path")]
    return chance.choice(values + values[: len(values) // 2] * 2)


def _option(chance: random.Random, action) -> list:
    counts = {"+": [1, 1, 2, 3], "*": [0, 1, 2], "?": [0, 1], 0: [0], None: [1]}[action.nargs]
    values = [_value(chance, action) for _ in range(chance.choice(counts))]
    return [chance.choice(action.option_strings), *values]


def command_lines(parser, count: int, seed: int, models: list, without: tuple = ()):
    """Yields lists of arguments.

    Args:
        parser: The parser; the lists are made of its options.
        count: How many lists.
        seed: The seed of their random choices.
        models: Their beginnings, each a list of arguments.
        without: Destinations of options that are left out.
    """
    chance = random.Random(seed)
    actions = [a for a in parser._actions if a.option_strings and a.dest not in without + ("help",)]
    for _ in range(count):
        line = list(chance.choice(models))
        for action in chance.sample(actions, chance.choice([0, 1, 1, 2, 3, 4, 6])):
            line += _option(chance, action)
        yield line
