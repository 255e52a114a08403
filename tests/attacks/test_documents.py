"""JSON and YAML that people and programs hand us: jobs, plans, tasks, results, replays, hints."""
import json
import os

import pytest
from conftest import of_file
from models import harmless

DEEP = 100_000


def laughs(levels=30, width=10):
    """Each anchor is a list of the one before: width^levels values."""
    lines = ["a0: &a0 [lol, lol]"]
    for i in range(1, levels):
        lines.append("a%d: &a%d [%s]" % (i, i, ", ".join(["*a%d" % (i - 1)] * width)))
    return "\n".join(lines) + "\n"


# name: text. Every reader refuses them.
TEXTS = {
    "deep_lists": "[" * DEEP + "]" * DEEP,
    "deep_objects": '{"a":' * DEEP + "1" + "}" * DEEP,
    "deep_and_cut": "[" * DEEP,
    "number_of_a_million_digits": "1" * 1_000_000,
    "number_with_an_exponent": '{"units": 1e999999999}',
    "numbers_for_everything": json.dumps({key: 1 for key in (
        "polygraphy_plan", "polygraphy_class", "argv", "inputs", "command", "models", "runners", "choices", "lst")}),
    "null_for_everything": json.dumps({key: None for key in (
        "polygraphy_plan", "polygraphy_class", "argv", "inputs", "command", "models", "runners", "choices", "lst")}),
    "text": '"__import__(\'os\').system(\'touch opened\')"',
    "list": "[[], {}, null, 1e308, -0.0, true]",
    "two_documents": "{}{}",
    "empty": "",
    "spaces": " " * (1 << 20),
    "zero_bytes": "\0" * (1 << 20),
    "not_utf8": "\udcff\udcfe{",
    "utf16": "\udcff\udcfe{\0}\0",
    "class_of_python": json.dumps({"polygraphy_class": "os.system", "argv": ["touch opened"]}),
    "laughs": laughs(),
    "laughs_of_maps": laughs().replace("[", "[{k: ").replace("]", "}]"),
    "object_of_python": "!!python/object/apply:os.system ['touch opened']\n",
    "deep_yaml": "- " * 10_000 + "1\n",
    "deep_flow_yaml": "[" * DEEP,
    "anchor_of_itself": "a: &a [*a]\n",
    "merge_of_itself": "a: &a {<<: *a}\n",
    "key_of_a_megabyte": json.dumps({"k" * (1 << 20): 1}),
    "keys_50_000": json.dumps({"k%d" % i: 1 for i in range(50_000)}),
    "command_lines": json.dumps({"command": ["sh", "-c", "touch opened"], "argv": ["sh", "-c", "touch opened"]}),
}

READERS = {
    "job": ["job", "FILE"],
    "plan": ["task", "status", "FILE"],
    "task": ["task", "run", "--plan", "FILE", "--index", "0"],
    "merge": ["task", "merge", "--plan", "FILE"],
    "inputs": ["inspect", "data", "FILE"],
    "tactics": ["inspect", "tactics", "FILE"],
    "hints": ["multi-device", "shard", "model.onnx", "--hint", "FILE", "-o", "out.onnx"],
    "baseline": ["zoo", ".", "--onnxrt", "--baseline", "FILE", "-o", "zoo.json"],
    "plugins": ["plugin", "replace", "model.onnx", "--config", "FILE", "--plugin-dir", ".", "-o", "out.onnx"],
    "merged": ["data", "concat", "FILE", "FILE", "-o", "out.json"],
}


# Some of them are valid arrays, or an empty list of patterns.
ACCEPTED = {
    "number_with_an_exponent": ["inputs", "merged"], "numbers_for_everything": ["inputs", "merged"],
    "key_of_a_megabyte": ["inputs", "merged"], "keys_50_000": ["inputs", "merged"],
    "command_lines": ["inputs", "merged"], "empty": ["plugins"], "spaces": ["plugins"],
}


@pytest.mark.parametrize("name", TEXTS)
def test_documents(polygraphy, name):
    file = name + ".json"
    polygraphy.file("model.onnx", harmless())
    polygraphy.file(file, TEXTS[name].encode(errors="surrogateescape"))
    for reader, command in READERS.items():
        [command] = of_file([command], file)
        if reader in ACCEPTED.get(name, ()):
            polygraphy(*command)
        else:
            polygraphy.refused(file, *command)
    assert "opened" not in os.listdir(polygraphy.folder)
