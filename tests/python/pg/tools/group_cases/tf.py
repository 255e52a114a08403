"""Groups of TensorFlow, which is missing."""

import os

from command_lines import command_lines
from parsing import make_parser, show_code, show_parsed, show_parser
from polygraphy.tools.args import *

open("g.graphdef", "w").close()
os.mkdir("checkpoints")

SETTINGS = [{}, {"allow_artifacts": False}, {"allow_custom_outputs": False}, {"allow_tftrt": True}]


def make_groups(settings: dict) -> list:
    groups = [RunnerSelectArgs(), ModelArgs(), TfTrtArgs(), TfLoadArgs(**settings), TfConfigArgs()]
    return groups + [TfRunnerArgs(), TrtSaveEngineBytesArgs()]


for seed, settings in enumerate(SETTINGS):
    parser = make_parser(make_groups(settings))
    show_parser(parser)
    models = [["g.graphdef"], ["g.graphdef"], ["k.hdf5"], ["checkpoints"], ["m.onnx"]]
    # The original fails with this option.
    without = ("use_tftrt", "model_type")
    for line in command_lines(parser, 40, seed, models, without):
        groups = make_groups(settings)
        if not show_parsed(groups, line):
            continue
        _, _, tftrt, graph, configuration, runner, _ = groups
        show_code(tftrt, "graph")
        show_code(graph)
        show_code(graph, disable_custom_outputs=True)
        show_code(configuration)
        show_code(runner)
print(TfRunnerArgs().get_name_opt())
