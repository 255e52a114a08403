"""A user's own tools and argument groups, alone and as commands of `polygraphy`."""

import sys
import time

import onnx
from argument_groups import attempt, text
from onnx import TensorProto, helper
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.tools import TOOL_REGISTRY, Tool, main
from polygraphy.tools.args import (
    DataLoaderArgs,
    LoggerArgs,
    ModelArgs,
    OnnxInferShapesArgs,
    OnnxLoadArgs,
    OnnxrtRunnerArgs,
    OnnxrtSessionArgs,
    OnnxSaveArgs,
    RunnerSelectArgs,
)
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs, BaseRunnerArgs
from polygraphy.tools.script import Script, inline, make_invocable, safe

time.time = lambda: 0.0


class GainArgs(BaseArgs):
    """
    Gain: multiplying outputs

    Depends on:
        - ModelArgs
    """

    def add_parser_args_impl(self):
        self.group.add_argument("--gain", type=float, default=1.0, help="A factor.")
        self.group.add_argument("--per-output", nargs="+", help="Factors by output.")

    def parse_impl(self, args):
        self.gain = args_util.get(args, "gain")
        self.per_output = args_util.parse_arglist_to_dict(args_util.get(args, "per_output"))

    def add_to_script_impl(self, script, results):
        script.append_suffix(safe("# The outputs, changed"))
        line = safe(
            "gained = {{name: value * {:} for name, value in {:}.items()}}", self.gain, results
        )
        script.append_suffix(line)
        return safe("gained")

    def gain_all(self, results):
        return args_util.run_script(self.add_to_script, results)


class DoublingRunnerArgs(BaseRunnerArgs):
    """
    Doubling: a runner that doubles

    Depends on nothing.
    """

    def get_name_opt_impl(self):
        return "Doubling", "doubling"

    def get_extra_help_text_impl(self):
        return "It doubles."

    def add_to_script_impl(self, script):
        script.add_import(["OnnxrtRunner"], frm="polygraphy.backend.onnxrt")
        session = self.arg_groups[OnnxrtSessionArgs].add_to_script(script)
        script.add_runner(make_invocable("OnnxrtRunner", session, name="doubling"))


class NothingArgs(BaseArgs):
    """Nothing: nothing at all"""


class CarefulArgs(BaseArgs):
    """Careful: options in full"""

    def add_parser_args_impl(self):
        self.group.add_argument("--carefully", action="store_true")

    def allows_abbreviation_impl(self):
        return False


class Run(Tool):
    """
    Runs a model on some runners.

    The second paragraph.
    """

    def __init__(self, name="go"):
        super().__init__(name)

    def get_subscriptions_impl(self):
        return [
            RunnerSelectArgs(),
            ModelArgs(model_opt_required=True, input_shapes_opt_name="inputs"),
            OnnxInferShapesArgs(),
            OnnxSaveArgs(output_opt="save-onnx", output_short_opt=False),
            OnnxLoadArgs(allow_saving=True),
            OnnxrtSessionArgs(),
            OnnxrtRunnerArgs(),
            DoublingRunnerArgs(),
            DataLoaderArgs(),
            GainArgs(),
            NothingArgs(),
        ]

    def add_parser_args_impl(self, parser):
        parser.add_argument("--print-script", action="store_true", help="Print it.")

    def show_start_end_logging_impl(self, args):
        return not args.print_script

    def run_impl(self, args):
        script = Script(summary="Runs a model.")
        self.arg_groups[LoggerArgs].add_to_script(script)
        runners = self.arg_groups[RunnerSelectArgs].add_to_script(script)
        loader = self.arg_groups[DataLoaderArgs].add_to_script(script)
        script.add_import(["Comparator"], frm="polygraphy.comparator")
        run = make_invocable("Comparator.run", runners, data_loader=loader)
        script.append_suffix(safe("\n# Runs\nresults = {:}", inline(run)))
        script.append_suffix(safe("outputs = [dict(iterations[0]) for _, iterations in results]"))
        if args.print_script:
            print(str(script).split("\n", 3)[3])
            return
        variables = {}
        exec(str(script), variables)
        for outputs in variables["outputs"]:
            print({name: value.tolist() for name, value in outputs.items()})
            gained = self.arg_groups[GainArgs].gain_all(outputs)
            print({name: value.tolist() for name, value in gained.items()})
        print(self.arg_groups[GainArgs].per_output)


class Ends(Tool):
    """Ends in different ways."""

    def add_parser_args_impl(self, parser):
        parser.add_argument("how")

    def show_start_end_logging_impl(self, args):
        return True

    def run_impl(self, args):
        if args.how == "critical":
            G_LOGGER.critical("That was it.")
        if args.how == "exception":
            raise PolygraphyException("silent")
        if args.how == "error":
            raise ValueError("another")
        if args.how == "exit":
            sys.exit(7)
        return {"none": None, "zero": 0, "three": 3, "false": False, "text": "x"}[args.how]


class Careful(Tool):
    """Takes no abbreviations."""

    def get_subscriptions_impl(self):
        return [CarefulArgs()]

    def run_impl(self, args):
        given = {key: val for key, val in vars(args).items() if key != "subcommand"}
        print({key: text(val) for key, val in sorted(given.items())})


class Family(Tool):
    """Has custom tools."""

    def get_subtools_impl(self):
        return "Members", [Ends("ends"), Careful("care-ful")]


input_info = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])
output_info = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])
node = helper.make_node("Neg", ["x"], ["y"])
opset = helper.make_opsetid("", 13)
graph = helper.make_graph([node], "g", [input_info], [output_info])
onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[opset]), "m.onnx")


def run(function, *argv, **kwargs):
    print("####", argv, kwargs)
    sys.stderr.write(f"#### {argv}\n")
    sys.argv = ["prog", *argv]
    print("returned", repr(attempt(function, **kwargs)))
    sys.stdout.flush()
    G_LOGGER.module_severity = 20


print([type(group).__name__ for group in Run().get_subscriptions()], Run().name, Tool().name)
print(Run().get_subtools(), Family("f").get_subtools()[0], Run().arg_groups)
TOOL_REGISTRY[:] = [Run(), Ends("ends"), Careful("careful"), Family("family")]

run(main, "go", "m.onnx", "--onnxrt")
run(main, "go", "m.onnx", "--onnxrt", "--gain", "2.5", "--seed", "3", "--per-output", "y:1", "2")
run(main, "go", "m.onnx", "--doubling", "--onnxrt", "--val-range", "[2,3]", "-v")
run(main, "go", "m.onnx", "--doubling", "--onnxrt", "--print-script", "--shape-inference")
run(main, "go", "m.onnx", "--onnxrt", "--save-onnx", "saved.onnx", "--iterations", "2")
run(main, "go", "m.onnx", "--print-script", "--log-format", "no-colors", "--verbosity", "INFO")
run(main, "go", "--onnxrt")
run(main, "go", "m.onnx", "--gain", "x")
run(main, "go", "m.onnx", "--bogus", "y", "z")
run(main, "go", "m.onnx", "--ga", "5", "--onnx", "--print")
run(main, "go", "missing", "--onnxrt")
for how in ("none", "zero", "three", "false", "text", "critical", "exception", "error", "exit"):
    run(main, "ends", how)
    run(Ends().main, how) if how not in ("critical", "exception") else None
run(main, "ends", "zero", "--silent")
run(main, "ends", "zero", "-q")
run(main, "ends", "critical", "-qqq")
run(main, "careful", "--carefully")
run(main, "careful", "--care")
run(main, "family", "care-ful", "--carefully")
run(main, "family", "care-ful", "--careful")
run(main, "family", "ends", "three")
run(main, "family", "nobody")
run(main, "family")
run(main, "nobody")
run(main)
run(main, run_opts=["ends", "zero"])
run(main, "-v")
run(main, "--version")

parser = Run().setup_parser()
print(parser.prog, parser.description.strip().split(".")[0], parser.allow_abbrev)
tool = Run()
args = tool.setup_parser().parse_args(["m.onnx", "--onnxrt", "--gain", "3"])
tool.parse(args)
print(list(tool.arg_groups.keys())[0] is LoggerArgs, tool.arg_groups[GainArgs].gain)
print(tool.arg_groups[NothingArgs].group, tool.arg_groups[GainArgs].group.title)
print("returned", tool.run(args))
