"""Subgraphs of models that plugins can replace."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._documents import _made
from polygraphy_native._engines import _places
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._places import python_path
from polygraphy_native._reports import _Report


@dataclass(frozen=True)
class PluginInstance:
    """A subgraph that one node of a plugin can replace.

    Attributes:
        inputs, outputs: Names of tensors, in the order of the plugin.
        attributes: Of the node: numbers, texts and lists of them.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]


@dataclass(frozen=True)
class PluginMatches:
    """The subgraphs that a plugin can replace.

    Attributes:
        plugin: The name that the plugin gives itself, the same as its folder's.
        op: The operator of its nodes.
        instances: The subgraphs.
    """

    plugin: str
    op: str
    instances: tuple[PluginInstance, ...]


@dataclass(frozen=True, repr=False)
class PluginConfig(_Report):
    """The result of match_plugins(); true if a plugin can replace a subgraph.

    Attributes:
        counts: The number of subgraphs by folder, of all plugins.
        text: The configuration that `polygraphy plugin match` writes: YAML.
        matches: Of each plugin with subgraphs.
    """

    counts: dict[str, int]
    text: str
    matches: tuple[PluginMatches, ...]

    def __bool__(self) -> bool:
        return bool(self.matches)


# The path of a configuration, or the subgraphs to replace.
PluginConfigLike = Union[Path, PluginConfig, Sequence[PluginMatches]]


def list_plugins(
    model: Model | Path, plugin_dir: Path, *, include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> dict[str, int]:  # fmt: skip
    """The number of subgraphs that each plugin can replace, by the names of the plugins' folders.

    The arguments and errors are the same as for match_plugins().
    """
    return match_plugins(model, plugin_dir, include=include, exclude=exclude).counts


def match_plugins(
    model: Model | Path, plugin_dir: Path, *, include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> PluginConfig:  # fmt: skip
    """Finds the subgraphs of a model that plugins can replace.

    The patterns run in a process of this Python.

    Args:
        model: A Model, or the path of a model.
        plugin_dir: A folder with a file <plugin>/pattern.py for each plugin: docs/plugins.md.
        include, exclude: Names of folders: only these plugins, and all but these.

    Raises:
        Error: The model or the folder cannot be read; a pattern fails, or returns something else.
    """
    options = _options(plugin_dir) | {"include": list(include), "exclude": list(exclude)}
    found = _native.match_plugins(_source_to_native(model), options, _places())
    return _made(PluginConfig, found, matches=tuple(map(_matches, found["matches"])))


def replace_plugins(model: Model | Path, plugin_dir: Path, config: PluginConfigLike) -> Model:
    """Replaces subgraphs of a model by nodes of plugins.

    Args:
        model: A Model, which stays as it is, or the path of a model.
        plugin_dir: As for match_plugins(). A pattern with a function replace_with_plugin() replaces
            its subgraphs itself.
        config: The result of match_plugins(); the chosen PluginMatches; or the path of a
            configuration in YAML.

    Returns: A new model.

    Raises:
        Error: The configuration is of another model; a function of a plugin fails.
    """
    options = _options(plugin_dir) | {"config": _config_to_native(config)}
    return Model._of(_native.replace_plugins(_source_to_native(model), options, _places()))


def _config_to_native(config: PluginConfigLike) -> Any:
    """A path, or the fields of matches."""
    if isinstance(config, (str, os.PathLike)):
        return os.fspath(config)
    matches = config.matches if isinstance(config, PluginConfig) else config
    return [asdict(each) for each in matches]


def _options(plugin_dir: Path) -> dict[str, Any]:
    return {"folder": os.path.abspath(plugin_dir), "packages": python_path()}


def _matches(found: dict[str, Any]) -> PluginMatches:
    instances = tuple(_made(PluginInstance, each) for each in found["instances"])
    return _made(PluginMatches, found, instances=instances)
