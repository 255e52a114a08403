"""One more option of a back end's table is one of the argument groups, without any other change."""

import pytest

from polygraphy.tools.args import *
from group_cases.parsing import attributes, code, make_parser, parsed

_native = pytest.importorskip("polygraphy_native._native")

CONFIGURATION = {"heading": "TensorRT Builder Configuration", "loader": "CreateConfig"}
NETWORK = {"heading": "TensorRT Network"}


def add_row(monkeypatch, backend: str, key: str, **fields) -> None:
    """Adds an option to the table of a back end."""
    table = _native.option_table
    row = dict.fromkeys(table(backend)[0])
    row.update(key=key, spellings=["--" + key.replace("_", "-")], help=f"Help of {key}, 100%.")
    row.update(nargs="1", type="text", repeats=False, exclusive=0, ours=False)
    row.update(fields)
    monkeypatch.setattr(
        _native, "option_table", lambda name: table(name) + [row] * (name == backend)
    )


CASES = {
    "a flag": ({"nargs": "0"}, [], "True"),
    "a number": ({"type": "integer"}, ["7"], "7"),
    "a real number": ({"type": "number"}, ["0.5"], "0.5"),
    "a text": ({}, ["some"], "'some'"),
    "texts": ({"nargs": "+"}, ["a", "b"], "['a', 'b']"),
    "a choice": ({"choices": ["a", "b"]}, ["b"], "'b'"),
    "a flag of the builder": (
        {"nargs": "0", "enumeration": "BuilderFlag", "enumerator": "NEW"},
        [],
        "True",
    ),
    "an enumerator": ({"enumeration": "NewLevel"}, ["high"], "trt.NewLevel.HIGH"),
    "enumerators": (
        {"nargs": "*", "enumeration": "NewKind"},
        ["a", "b"],
        "[trt.NewKind.A, trt.NewKind.B]",
    ),
    "sizes": (
        {"nargs": "+", "enumeration": "NewPool", "type": "size"},
        ["a:1K", "b:2"],
        "{trt.NewPool.A: 1024, trt.NewPool.B: 2}",
    ),
    "a size": ({"type": "size"}, ["1K"], "1024"),
}


@pytest.mark.parametrize("argument", [None, "other_name"], ids=["", "with another name"])
@pytest.mark.parametrize("fields, values, expected", CASES.values(), ids=CASES)
def test_an_option_of_the_configuration(monkeypatch, fields, values, expected, argument):
    add_row(monkeypatch, "tensorrt", "new_option", **CONFIGURATION, **fields, argument=argument)
    name = argument or "new_option"
    assert "Help of new_option, 100%." in make_parser([TrtConfigArgs()]).format_help()
    (config,) = parsed([TrtConfigArgs()], [])
    assert attributes(config)[name] is None
    (config,) = parsed([TrtConfigArgs()], ["--new-option", *values])
    assert repr(attributes(config)[name]) == expected
    lines = code(config)
    assert f"create_trt_config = CreateTrtConfig({name}={expected})\n" in lines
    # Without TensorRT-RTX, the original's scripts always import TensorRT.
    assert "trt = mod.lazy_import('tensorrt" in lines


def test_it_follows_the_others_in_scripts(monkeypatch):
    add_row(monkeypatch, "tensorrt", "new_option", **CONFIGURATION, nargs="0")
    (config,) = parsed([TrtConfigArgs()], ["--new-option", "--refittable", "--fp16"])
    assert "CreateTrtConfig(refittable=True, fp16=True, new_option=True)" in code(config)


def test_options_that_only_the_program_has_are_left_out(monkeypatch):
    add_row(monkeypatch, "tensorrt", "new_option", **CONFIGURATION, ours=True)
    assert "--new-option" not in make_parser([TrtConfigArgs()]).format_help()


def test_deprecated_options_are_left_out():
    assert "--trt-config-func-name" not in make_parser([TrtConfigArgs()]).format_help()
    assert "--trt-network-func-name" not in make_parser([TrtLoadNetworkArgs()]).format_help()


@pytest.fixture
def model(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").touch()
    return "m.onnx"


@pytest.mark.parametrize(
    "fields, values, expected",
    [
        ({"loader": "ChangeNetwork"}, ["v"], "change_network = ChangeNetwork(parse_network_from_"),
        ({"loader": "ChangeNetwork"}, ["v"], "new_option='v')\n"),
        ({"loader": "NetworkFromOnnxPath", "nargs": "0"}, [], "m.onnx', new_option=True)\n"),
        ({"loader": "ModifyNetworkOutputs"}, ["v"], "parse_network_from_onnx, new_option='v')\n"),
    ],
)
def test_an_option_of_the_network(monkeypatch, model, fields, values, expected):
    add_row(monkeypatch, "tensorrt", "new_option", **NETWORK, **fields)
    groups = [ModelArgs(), OnnxLoadArgs(), TrtLoadNetworkArgs()]
    *_, network = parsed(groups, [model, "--new-option", *values])
    assert expected in code(network)


def test_an_option_of_the_runner(monkeypatch):
    add_row(monkeypatch, "tensorrt", "new_option", loader="TrtRunner", type="integer")
    (runner,) = parsed([TrtRunnerArgs()], ["--new-option", "3"])
    assert runner.new_option == 3


def test_an_option_of_onnx_runtime(monkeypatch):
    add_row(monkeypatch, "onnxrt", "new_option")
    (session,) = parsed([OnnxrtSessionArgs()], ["--new-option", "v"])
    assert session.new_option == "v"
