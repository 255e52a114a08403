"""Groups of TensorRT, which is missing."""

from command_lines import command_lines
from parsing import attempt, make_parser, show_code, show_parsed, show_parser
from polygraphy import config
from polygraphy.common import TensorMetadata
from polygraphy.tools.args import *
from polygraphy.tools.args.backend.trt.config import parse_profile_shapes
from polygraphy.tools.args.backend.trt.helper import make_trt_enum_val
from polygraphy.tools.script import inline, safe

for name in ("m.onnx", "e.engine", "net.py"):
    open(name, "w").close()

SETTINGS = [
    ({}, {}, {"allow_saving": True}),
    (
        {"allow_engine_capability": True, "allow_compute_capabilities": True},
        {"allow_tensor_formats": False},
        {},
    ),
    (
        {
            "precision_constraints_default": "obey",
            "allow_random_data_calib_warning": False,
            "allow_custom_input_shapes": False,
            "allow_tensor_formats": False,
        },
        {"allow_custom_outputs": False},
        {"allow_saving": False},
    ),
]


def make_groups(for_config: dict, for_network: dict, for_engine: dict) -> list:
    groups = [RunnerSelectArgs(), ModelArgs(), OnnxInferShapesArgs(), OnnxLoadArgs()]
    groups += [DataLoaderArgs(), TrtLoadPluginsArgs(), TrtOnnxFlagArgs()]
    groups += [TrtConfigArgs(**for_config), TrtLoadNetworkArgs(**for_network)]
    groups += [TrtSaveEngineBytesArgs(output_opt="save-engine", output_short_opt=False)]
    return groups + [TrtLoadEngineBytesArgs(**for_engine), TrtLoadEngineArgs(), TrtRunnerArgs()]


def show(settings: tuple, seed: int, count: int) -> None:
    parser = make_parser(make_groups(*settings))
    models = [["m.onnx"]] * 4 + [["e.engine"], ["net.py"], ["net.py:f"], ["m.uff"]]
    # Of these, the original imports a module twice.
    without = ("data_loader_script", "model_type")
    for line in command_lines(parser, count, seed, models, without):
        groups = make_groups(*settings)
        if not show_parsed(groups, line):
            continue
        plugins, flags, configuration, network, save, engine_bytes, engine, runner = groups[5:]
        show_code(plugins, "loader")
        print("flags", attempt(flags.get_flags))
        show_code(configuration)
        show_code(configuration, "custom")
        show_code(network)
        show_code(save, inline(safe("engine")))
        show_code(engine_bytes)
        show_code(engine_bytes, inline(safe("network")))
        show_code(engine)
        show_code(engine, inline(safe("network")))
        show_code(runner)
        print(engine.save_timing_cache)


for seed, settings in enumerate(SETTINGS):
    show_parser(make_parser(make_groups(*settings)))
    show(settings, seed, 70)

config.USE_TENSORRT_RTX = True
show_parser(make_parser([TrtConfigArgs(allow_compute_capabilities=True)]))
for line in (["8.6", "12.0"], ["8"], ["8.x"], ["8.6.1"]):
    groups = [ModelArgs(), TrtConfigArgs(allow_compute_capabilities=True)]
    if show_parsed(groups, ["--compute-capabilities", *line]):
        show_code(groups[1])
show(SETTINGS[1], 3, 40)
show(SETTINGS[0], 4, 20)
config.USE_TENSORRT_RTX = False

print(TrtRunnerArgs().get_name_opt())
for names in (("A", "b"), ("a.b", "c"), ("a", "b c")):
    print(attempt(make_trt_enum_val, *names))
shapes = TensorMetadata().add("x", None, (1, "N"))
print(parse_profile_shapes(shapes, [["x:[1,2]"]], [], [["x:[3,4]"], ["x:[5,6]"]]))
print(parse_profile_shapes(shapes, [], [], []), parse_profile_shapes(TensorMetadata(), [], [], []))
print(attempt(parse_profile_shapes, shapes, [], [["y:[1]"]], []), shapes)
for options, line in (
    ({}, ["-o", "saved"]),
    ({"output_opt": "engine"}, ["--engine", "saved"]),
    ({"output_short_opt": "-e"}, ["-e", "saved"]),
    ({"output_short_opt": False}, ["--output", "saved"]),
    ({"output_opt": False}, []),
):
    group = TrtSaveEngineBytesArgs(**options)
    show_parser(make_parser([group]))
    show_parsed([group], line)
    show_code(group, "engine")
    print(group.save_engine_bytes(b"plan", "path"), open("path", "rb").read())
    if group.path:
        print(group.save_engine_bytes(lambda: b"more"), open("saved", "rb").read())
