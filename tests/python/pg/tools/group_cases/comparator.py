"""Groups of comparisons and of the data loader."""

from command_lines import command_lines
from parsing import attempt, make_parser, show_code, show_parsed, show_parser
from polygraphy.tools.args import *
from polygraphy.tools.script import inline, safe

METRICS = [
    CompareFuncSimpleArgs,
    CompareFuncIndicesArgs,
    CompareFuncL2Args,
    CompareFuncCosineSimilarityArgs,
    CompareFuncPsnrArgs,
    CompareFuncSnrArgs,
    CompareFuncPerceptualMetricsArgs,
]
SETTINGS = [{}, {"allow_postprocessing": False, "allow_validate": False}]
SETTINGS.append({"allow_load_outputs": False, "allow_sequential_runners": False})


def make_groups(settings: dict) -> list:
    groups = [RunnerSelectArgs(), ModelArgs(), OnnxrtRunnerArgs(), DataLoaderArgs()]
    groups += [ComparatorRunArgs(), ComparatorPostprocessArgs(), ComparatorCompareArgs(**settings)]
    return groups + [metric() for metric in METRICS]


def describe(function) -> str:
    """The name and the public attributes of a comparison function."""
    attributes = {k: v for k, v in vars(function).items() if k[0] != "_"} if function else {}
    return f"{type(function).__name__} {sorted(attributes.items())}"


for seed, settings in enumerate(SETTINGS):
    parser = make_parser(make_groups(settings))
    show_parser(parser)
    models = [[], ["m.onnx"], ["m.onnx", "--onnxrt"]]
    for line in command_lines(parser, 90, seed, models, without=("model_type", "input_shapes")):
        groups = make_groups(settings)
        if not show_parsed(groups, line):
            continue
        _, _, _, loader, run, postprocess, compare, *metrics = groups
        show_code(run)
        show_code(compare, inline(safe("results")))
        show_code(compare, None)
        show_code(loader)
        show_code(loader, inline(safe("metadata")))
        show_code(postprocess, inline(safe("results")))
        for metric in metrics:
            show_code(metric)
        print("random", loader.is_using_random_data())
        if not compare.compare_func_script:
            functions = attempt(compare.build_compare_funcs)
            print([describe(function) for function in functions])
        if not loader.data_loader_script:
            print(loader.get_data_loader())

groups = make_groups({})
show_parsed(groups, ["--input-shapes", "x:[2,N]", "z:[]", "--seed", "0"])
print(groups[3].get_data_loader())
print(groups[3].get_data_loader(groups[1].input_shapes))
show_parsed(
    [ModelArgs(), DataLoaderArgs(allow_custom_input_shapes=False)], ["--input-shapes", "x:[2]"]
)
with open("loader.py", "w") as file:
    file.write(
        "def load_data():\n    yield {'x': 1}\n\n\ndef other():\n    return [{'x': 2}] * 2\n"
    )
for name in ("", ":other"):
    groups = make_groups({})
    show_parsed(groups, ["--data-loader-script", "loader.py" + name])
    print(list(groups[3].get_data_loader()))
