"""The commands of `polygraphy`."""

from __future__ import annotations

import importlib

from polygraphy.logger import G_LOGGER
from polygraphy.tools._native_tool import NativeTool
from polygraphy.tools.base import Tool

TOOL_REGISTRY = [
    NativeTool("run", "Run a model on one or more runtimes and compare the outputs."),
    NativeTool("convert", "Convert a model to ONNX or to a TensorRT engine."),
    NativeTool("inspect", "Show models and saved data."),
    NativeTool("check", "Check models and saved results."),
    NativeTool("surgeon", "Change ONNX models: cut, clean up, fold, insert nodes."),
    NativeTool("template", "Write Python scripts and hints as starting points."),
    NativeTool("debug", "Find the cause of a failure."),
    NativeTool("data", "Combine files of saved inputs and outputs."),
    NativeTool("plugin", "Find subgraphs of ONNX models that plugins can replace, and replace them."),
    NativeTool("zoo", "Run many models on several engines, and name the guilty nodes."),
    NativeTool("multi-device", "Prepare models that several devices run together."),
    NativeTool("task", "Run, watch and merge the tasks of a command on many machines."),
    NativeTool("backends", "List the back ends, their libraries, and missing ones."),
    NativeTool("job", "Run a command that is written as a job in JSON."),
    NativeTool("schema", "Print the JSON Schema of the results or the jobs of a command."),
    NativeTool("mcp", "Serve agents by the Model Context Protocol."),
    NativeTool("skill", "Print recipes for agents: SKILL.md."),
]
"""List[Tool]: All of them. Tools that are appended can be run by `polygraphy.tools.main`"""

tool_names = [tool.name for tool in TOOL_REGISTRY]
duplicates = {name for name in tool_names if tool_names.count(name) > 1}


class MissingTool(Tool):
    """Stands in for a tool that could not be imported.

    Args:
        name: The name of the tool.
        err: The error of the import.
    """

    def __init__(self, name: str, err):
        super().__init__(name)
        self.err = err
        self.__doc__ = (
            f"[!] This tool could not be loaded due to an error:\n{err}\n"
            f"Run 'polygraphy {name}' for details."
        )

    def __call__(self, args):
        G_LOGGER.critical(f"Encountered an error when loading this tool:\n{self.err}")

    def run_impl(self, args):
        self(args)


def try_register_tool(module: str, tool_class: str) -> None:
    """Appends a tool to the registry, or a `MissingTool` that says why it cannot be had.

    Args:
        module: The module that has its class.
        tool_class: The class, whose objects are made without arguments.
    """
    try:
        tool = getattr(importlib.import_module(module), tool_class)()
    except Exception as err:
        tool = MissingTool(tool_class.lower(), err)
    TOOL_REGISTRY.append(tool)
