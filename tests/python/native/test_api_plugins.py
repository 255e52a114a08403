"""Plugins through polygraphy_native: patterns in Python, on graphs of onnx_graphsurgeon."""

import dataclasses

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import proto

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] c = {1, 2}, float[2] d = {3, 4}> {
  a = Add (x, c) b = Relu (a) e = Add (b, d) y = Relu (e) }"""
BIAS_RELU = '''
def get_matching_subgraphs(graph):
    return [{"inputs": [node.inputs[0].name], "outputs": [node.o().outputs[0].name],
             "attributes": {"bias": [float(v) for v in node.inputs[1].values]}}
            for node in graph.nodes if node.op == "Add"]


def get_plugin_metadata():
    return {"name": "biasRelu", "op": "BiasRelu_TRT"}
'''
CUSTOM = '''

def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
    for tensor in output_tensors:
        tensor.inputs.clear()
    graph.layer(op=op, name="by_hand", inputs=input_tensors, outputs=output_tensors, attrs=attrs)
    graph.cleanup().toposort()
    return True
'''
NEVER = '''
def get_matching_subgraphs(graph):
    return []


def get_plugin_metadata():
    return {"name": "never", "op": "Never"}
'''


@pytest.fixture
def plugins(tmp_path):
    for name, text in (("biasRelu", BIAS_RELU), ("never", NEVER)):
        folder = tmp_path / "plugins" / name
        folder.mkdir(parents=True)
        (folder / "pattern.py").write_text(text, encoding="utf-8")
    return tmp_path / "plugins"


@pytest.fixture(params=["in memory", "in a file", "edited", "with external data"])
def model(request, tmp_path):
    model = pn.Model.from_proto(proto(MODEL))
    if request.param == "in memory":
        return model
    model.save(tmp_path / "model.onnx", external_data="model.data", size_threshold=0)
    if request.param == "in a file":
        return str(tmp_path / "model.onnx")
    model = pn.load(tmp_path / "model.onnx")
    if request.param == "edited":
        model.set_array("c", np.float32([1, 2]))
    return model


def test_subgraphs_are_found(model, plugins):
    config = pn.match_plugins(model, plugins)
    assert config and config.counts == {"biasRelu": 2, "never": 0}
    (matches,) = config.matches
    assert matches.plugin == "biasRelu" and matches.op == "BiasRelu_TRT"
    assert matches.instances == (pn.PluginInstance(("x",), ("b",), {"bias": [1, 2]}),
                                 pn.PluginInstance(("b",), ("y",), {"bias": [3, 4]}))
    assert config.text.startswith("name: biasRelu\nop: BiasRelu_TRT\ninstances:\n")
    assert pn.list_plugins(model, plugins, exclude=["never"]) == {"biasRelu": 2}
    assert not pn.match_plugins(model, plugins, include=["never"])


@pytest.mark.parametrize("custom", [False, True])
def test_subgraphs_are_replaced(model, plugins, custom):
    config = pn.match_plugins(model, plugins)
    if custom:
        with open(plugins / "biasRelu" / "pattern.py", "a", encoding="utf-8") as file:
            file.write(CUSTOM)
    replaced = pn.replace_plugins(model, plugins, config)
    assert [node.op_type for node in replaced.nodes] == ["BiasRelu_TRT"] * 2
    assert all((node.name == "by_hand") == custom for node in replaced.nodes)
    assert len((model if isinstance(model, pn.Model) else pn.load(model)).nodes) == 4
    (matches,) = config.matches
    chosen = dataclasses.replace(matches, instances=matches.instances[1:])
    part = pn.replace_plugins(model, plugins, [chosen])
    assert [node.op_type for node in part.nodes] == ["Add", "Relu", "BiasRelu_TRT"]
    assert part.array("c").tolist() == [1, 2]


def test_a_configuration_in_a_file(plugins, tmp_path):
    model = pn.Model.from_proto(proto(MODEL))
    (tmp_path / "config.yaml").write_text(pn.match_plugins(model, plugins).text, encoding="utf-8")
    replaced = pn.replace_plugins(model, plugins, tmp_path / "config.yaml")
    assert [node.op_type for node in replaced.nodes] == ["BiasRelu_TRT"] * 2
    graph = replaced.to_graph()
    assert list(graph.nodes[0].attrs["bias"]) == [1, 2]


def test_errors(plugins, tmp_path):
    model = pn.Model.from_proto(proto(MODEL))
    with pytest.raises(pn.Error, match="nowhere"):
        pn.match_plugins(model, tmp_path / "nowhere")
    other = pn.PluginMatches("biasRelu", "Op", (pn.PluginInstance(("x",), ("elsewhere",), {}),))
    with pytest.raises(pn.Error, match="'elsewhere'"):
        pn.replace_plugins(model, plugins, [other])
    strange = dataclasses.replace(other, instances=(pn.PluginInstance(("x",), ("y",), {"a": object()}),))
    with pytest.raises(TypeError, match="numbers, texts"):
        pn.replace_plugins(model, plugins, [strange])
    (tmp_path / "config.yaml").write_text("- 1\n", encoding="utf-8")
    with pytest.raises(pn.Error, match="config.yaml"):
        pn.replace_plugins(model, plugins, tmp_path / "config.yaml")
    (plugins / "never" / "pattern.py").write_text("def get_matching_subgraphs(graph):\n    return 1 / 0\n", encoding="utf-8")
    with pytest.raises(pn.Error) as raised:
        pn.match_plugins(model, plugins)
    assert "ZeroDivisionError" in str(raised.value)
