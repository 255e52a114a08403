"""The commands of the executable as tools in Python."""

import io
import sys

import pytest

from polygraphy.tools import TOOL_REGISTRY, Tool, main
from polygraphy.tools._native_tool import NativeTool
from polygraphy.tools.registry import MissingTool, duplicates, tool_names, try_register_tool

polygraphy_native = pytest.importorskip("polygraphy_native")


def is_built() -> bool:
    try:
        return bool(polygraphy_native.executable())
    except FileNotFoundError:
        return False


needs_executable = pytest.mark.skipif(not is_built(), reason="the executable is not built")


@pytest.fixture
def registry():
    """The registry, which is the old one again after the test."""
    before = list(TOOL_REGISTRY)
    yield TOOL_REGISTRY
    TOOL_REGISTRY[:] = before


class Mine(Tool):
    """A tool in Python."""

    def run_impl(self, args):
        print("mine")
        return 4


def status_of(monkeypatch, *argv, **kwargs):
    monkeypatch.setattr(sys, "argv", ["polygraphy", *argv])
    try:
        return main(**kwargs)
    except SystemExit as end:
        return ("exit", end.code)


@needs_executable
def test_the_registry_has_all_commands(monkeypatch, capfd):
    assert status_of(monkeypatch, "-h") == 0
    text = " ".join(capfd.readouterr().out.split())
    assert "{" + ",".join(tool_names) + "}" in text
    for tool in TOOL_REGISTRY:
        assert isinstance(tool, NativeTool) and f"{tool.name} {tool.__doc__}" in text
    assert not duplicates


@needs_executable
@pytest.mark.parametrize(
    "argv, status, where, printed",
    [
        (["inspect", "model", "nowhere.onnx"], 1, "err", "nowhere.onnx"),
        (["run", "--no-such-option"], 1, "out", "Unrecognized Options: ['--no-such-option']"),
        (["data", "merge"], ("exit", 2), "err", "polygraphy data merge: error:"),
        (["nonsense"], ("exit", 2), "err", "invalid choice: 'nonsense'"),
        (["check", "--help"], 0, "out", "usage: polygraphy check"),
        (["--version"], 0, "out", "Polygraphy | Version: 0.53.6"),
    ],
)
def test_main_runs_the_executable(monkeypatch, capfd, argv, status, where, printed):
    assert status_of(monkeypatch, *argv) == status
    assert printed in getattr(capfd.readouterr(), where)
    assert status_of(monkeypatch, run_opts=argv) == status


@needs_executable
def test_output_goes_where_that_of_the_program_goes(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert status_of(monkeypatch, "--version") == 0
    assert sys.stdout.getvalue().startswith("Polygraphy | Version")


@needs_executable
def test_tools_in_python_stand_beside_those_of_the_executable(monkeypatch, capfd, registry):
    registry.append(Mine("mine"))
    assert status_of(monkeypatch, "mine") == 4
    assert capfd.readouterr().out == "mine\n"
    assert status_of(monkeypatch, "run", "--no-such-option") == 1
    assert "Unrecognized Options: ['--no-such-option']" in capfd.readouterr().out
    assert status_of(monkeypatch, "-h") == ("exit", 0)
    text = capfd.readouterr().out
    assert "A tool in Python." in text and "Show models and saved data." in text


def test_a_native_tool_passes_on_what_it_is_given(registry, monkeypatch):
    import argparse

    passed = []
    monkeypatch.setattr("polygraphy.tools._native_tool.run_executable", passed.append)
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers(dest="tools")
    for tool in registry:
        tool.setup_parser(subparsers)
    args = parser.parse_args(["run", "-v", "model.onnx", "--opt=1", "-", "--help"])
    args.subcommand.run(args)
    assert passed == [["run", "-v", "model.onnx", "--opt=1", "-", "--help"]]


def test_an_executable_that_is_missing_is_reported(monkeypatch, capsys):
    def missing():
        raise FileNotFoundError("not here")

    monkeypatch.setattr(polygraphy_native, "executable", missing)
    assert status_of(monkeypatch, "run", "-h") == 1
    assert "could not be found" in capsys.readouterr().err


def test_a_tool_that_cannot_be_imported_says_why(registry, monkeypatch, capsys):
    try_register_tool("no_such_module_anywhere", "Gone")
    tool = registry[-1]
    assert isinstance(tool, MissingTool) and tool.name == "gone"
    assert "no_such_module_anywhere" in tool.__doc__
    assert status_of(monkeypatch, "gone") == 1
    assert "no_such_module_anywhere" in capsys.readouterr().err


def test_a_tool_is_registered_by_its_class(registry):
    try_register_tool("polygraphy.tools.base", "Tool")
    assert type(registry[-1]) is Tool
