"""Where tools and argument groups do otherwise than those of the original, on purpose."""

import argparse
import copy
import io
import sys

import onnx
import pytest
from onnx import TensorProto, helper

from polygraphy.exception import PolygraphyException
from polygraphy.tools import Tool
from polygraphy.tools.args import (
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
from polygraphy.tools.args.backend.runner_select import RunnerOptList
from polygraphy.tools.args.base import ArgGroups, BaseArgs
from polygraphy.tools.script import Script, make_invocable, safe


def parser_of(groups) -> argparse.ArgumentParser:
    arg_groups = ArgGroups()
    for group in groups:
        arg_groups[type(group)] = group
    parser = argparse.ArgumentParser()
    for group in groups:
        group.register(arg_groups)
        group.add_parser_args(parser)
    return parser


def parse(groups, *argv) -> list:
    args = parser_of(groups).parse_args(argv)
    for group in groups:
        group.parse(args)
    return groups


@pytest.fixture
def model_path(tmp_path) -> str:
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", 2]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", infos[:1], infos[1:])
    opset = helper.make_opsetid("", 13)
    path = str(tmp_path / "m.onnx")
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[opset]), path)
    return path


# Scripts


def test_forced_variables_do_not_take_the_place_of_others():
    script = Script(always_create_runners=False)
    first = script.add_loader(safe("F(1)"), "load")
    second = script.add_loader(safe("F(1)"), "load", force=True)
    assert (str(first), str(second)) == ("load", "load_1")
    assert "load = F(1)\nload_1 = F(1)\n" in str(script)
    assert str(script.add_loader(safe("F(1)"), "other")) == "load_1"


def test_variables_have_names_of_their_own():
    script = Script()
    names = [script.add_var(safe(code), name) for code, name in (("1", "a"), ("2", "a"))]
    names.append(script.add_var(safe("3"), "a_1"))
    assert len(set(map(str, names))) == 3


def test_a_module_is_imported_under_several_names():
    script = Script()
    script.add_import("torch")
    script.add_import("torch", imp_as="t")
    assert "torch = mod.lazy_import('torch')\n" in str(script)
    assert "\nt = mod.lazy_import('torch')\n" in str(script)


def test_special_numbers_are_code_everywhere():
    assert str(safe("{:}", [float("nan")])) == "[float('nan')]"


def test_arguments_of_the_program_stay_in_their_comment(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["prog", "x\nimport os"])
    lines = str(Script(always_create_runners=False)).splitlines()
    assert all(not line or line.startswith("#") for line in lines)


def test_scripts_are_saved_to_what_is_no_file_on_disk():
    script, file = Script(), io.StringIO()
    script.save(file)
    assert file.getvalue().startswith("#!/usr/bin/env python3\n")


# Texts of options


@pytest.mark.parametrize(
    "function, argument, message",
    [
        (args_util.parse_meta, ["x:[1]:floot32"], "Could not understand data type: floot32"),
        (args_util.parse_meta, ["x:[1]"], "Did you forget to specify a data type"),
        (args_util.parse_meta, ["x:3x4:int8"], "expected a list in brackets, but got '3x4'"),
        (args_util.parse_meta, ["x:[1.5]:int8"], "'1.5' is not a dimension"),
        (lambda texts: args_util.parse_arglist_to_dict(texts, int), ["a:x"], "argument: a:x"),
    ],
)
def test_wrong_texts_are_reported(function, argument, message):
    with pytest.raises(PolygraphyException, match=message.replace("[", r"\[")):
        function(argument)


def test_a_script_without_a_path():
    assert args_util.parse_script_and_func_name(":f") == ("", "f")


# Groups


def test_unknown_severities_are_reported():
    for name in ("nope", "log_file"):
        with pytest.raises(PolygraphyException, match=f"unknown severity '{name}'"):
            parse([LoggerArgs()], "--verbosity", name)


def test_a_group_is_called_like_its_class_without_a_docstring():
    class Plain(BaseArgs):
        def add_parser_args_impl(self):
            self.group.add_argument("--x")

    Plain.__doc__ = None
    group = Plain()
    assert "--x" in parser_of([group]).format_help() and group.group is not None


def test_a_file_with_a_colon_in_its_name(tmp_path):
    path = tmp_path / "a:b.onnx"
    path.touch()
    (group,) = parse([ModelArgs()], str(path))
    assert (group.path, group.extra_model_info) == (str(path), None)


def runner_groups() -> list:
    loading = [ModelArgs(), OnnxLoadArgs(), OnnxrtSessionArgs()]
    return [RunnerSelectArgs(), *loading, OnnxrtRunnerArgs()]


def test_runners_of_one_command_line_are_not_those_of_the_next():
    parser = parser_of(runner_groups())
    assert list(parser.parse_args(["--onnxrt", "--onnxrt"]).runners.keys()) == ["onnxrt"] * 2
    assert list(parser.parse_args([]).runners.keys()) == []


def test_runners_are_selected_whatever_is_parsed_first():
    select, model, *others = runner_groups()
    parse([model, select, *others], "m.onnx", "--onnxrt")
    assert list(select.runners.keys()) == ["onnxrt"]


def test_lists_of_runners_are_lists():
    runners = RunnerOptList([("a", "b")])
    both = copy.copy(runners)
    both += [("c", "d")]
    assert list(both.keys()) == ["a", "c"] and list(runners.keys()) == ["a"]


def test_a_runner_without_a_model_is_reported():
    select, *_ = parse(runner_groups(), "--onnxrt")
    with pytest.raises(PolygraphyException, match="no model"):
        select.add_to_script(Script())


@pytest.mark.parametrize("bound", ["h:5.5", "x", "[1,2]"])
def test_upper_bounds_are_whole_numbers(bound):
    groups = [ModelArgs(), OnnxLoadArgs(allow_setting_upper_bounds=True)]
    with pytest.raises(PolygraphyException, match="Could not understand the upper bound"):
        parse(groups, "m.onnx", "--set-unbounded-dds-upper-bound", bound)


def test_upper_bounds_are_set_before_the_model_becomes_bytes():
    _, load = parse(
        [ModelArgs(), OnnxLoadArgs(allow_setting_upper_bounds=True)],
        *("m.onnx", "--set-unbounded-dds-upper-bound", "5"),
    )
    script = Script()
    load.add_to_script(script, serialize_model=True)
    assert "serialize_onnx = BytesFromOnnx(set_upper_bound)\n" in str(script)


def test_a_model_is_not_saved_without_a_path():
    (save,) = parse([OnnxSaveArgs()])
    model = onnx.ModelProto()
    assert save.save_onnx(model) is model


def test_fallback_inference_needs_no_group_for_inputs(model_path):
    _, infer = parse([ModelArgs(), OnnxInferShapesArgs(allow_force_fallback=True)], model_path)
    result, metadata = infer.fallback_inference(onnx.load(model_path))
    assert list(result) == ["y", "x"] and tuple(metadata["y"].shape) == (1, 2)


def test_fallback_inference_excludes_the_other_one_that_is_on_by_default():
    (infer,) = parse(
        [OnnxInferShapesArgs(default=True, allow_force_fallback=True)],
        "--force-fallback-shape-inference",
    )
    assert infer.force_fallback and not infer.do_shape_inference


# Tools


class Failing(Tool):
    """Fails in 100% of all cases."""

    def run_impl(self, args):
        raise PolygraphyException("known already")


class Undocumented(Tool):
    def run_impl(self, args):
        return 5


Undocumented.__doc__ = None


class Parent(Tool):
    """Has others."""

    def get_subtools_impl(self):
        return "Others", [Failing("failing"), Undocumented("undocumented")]


@pytest.mark.parametrize(
    "tool, argv, status",
    [
        (Failing(), [], 1),
        (Undocumented(), [], 5),
        (Parent(), ["undocumented"], 5),
        (Parent(), ["failing"], 1),
        (Parent(), ["-h"], 0),
        (Parent(), [], 2),
    ],
)
def test_a_tool_alone_ends_with_its_status(monkeypatch, tool, argv, status, capsys):
    monkeypatch.setattr(sys, "argv", ["prog", *argv])
    with pytest.raises(SystemExit) as end:
        tool.main()
    assert end.value.code == status
    if argv == ["-h"]:
        assert "100% of all" in capsys.readouterr().out


def test_options_that_cannot_be_added_are_reported(capsys):
    class Broken(Tool):
        """Broken."""

        def add_parser_args_impl(self, parser):
            raise ValueError("no such option")

    Broken("broken").setup_parser()
    printed = capsys.readouterr().out
    assert "Could not register tool argument parser for: broken" in printed
    assert "no such option" in printed


def test_calls_are_put_together_with_metadata_without_shapes():
    from polygraphy.common import TensorMetadata

    code = make_invocable("F", TensorMetadata().add("x", None, None))
    assert str(code) == "F(TensorMetadata().add('x', None, None))"
