"""Nodes of the quantised model that read one packed weight, while each has its own weight in the float model."""

import pytest

import models
import oracle
from test_quantized_models import with_nbits, without_names


def chain_with_a_neighbours_weight(reader=2, owner=5):
    """The node of layer `reader` reads the packed weight of layer `owner`."""
    model = models.chain()
    made = with_nbits(model)
    nodes = {node.name: node for node in made.graph.node}
    nodes[f"layer{reader}_Q4"].input[1:] = nodes[f"layer{owner}_Q4"].input[1:]
    return model, made


@pytest.mark.parametrize("names", [True, False], ids=["names", "no names"])
@pytest.mark.parametrize("reader, owner", [(2, 5), (5, 2)])
def test_each_node_is_judged_by_its_own_floats(polygraphy, tmp_path, reader, owner, names):
    model, made = chain_with_a_neighbours_weight(reader, owner)
    feeds = models.samples(model, 1)
    source, output = tmp_path / "float.onnx", tmp_path / "mixed.onnx"
    models.onnx.save(model, source)
    result = polygraphy(made if names else without_names(made), feeds, "--float-model", source, "--limit", 0.4, "-o",
                        output)
    assert len(result["layers"]) == 8 and not result["notes"]
    sqnr = {layer["nodes"][0]: layer["sqnr"] for layer in result["layers"]}
    assert sqnr[f"layer{reader}"] < 3 and sqnr[f"layer{owner}"] > 15
    assert [layer["nodes"] for layer in result["layers"] if layer["kept"]] == [[f"layer{reader}"]]
    expected = oracle.run(model, feeds)
    assert oracle.relative_error(expected, oracle.run(models.onnx.load(output), feeds)) < 0.4
    mixed = models.onnx.load(output)
    assert sum(node.op_type == "MatMulNBits" for node in mixed.graph.node) == 7


def test_a_weight_that_both_models_share_is_one_layer(polygraphy, tmp_path):
    model, made = chain_with_a_neighbours_weight()
    next(node for node in model.graph.node if node.name == "layer2").input[1] = "w5"
    feeds = models.samples(model, 1)
    source, output = tmp_path / "float.onnx", tmp_path / "mixed.onnx"
    models.onnx.save(model, source)
    for quantised in (made, without_names(made)):
        result = polygraphy(quantised, feeds, "--float-model", source, "--limit", 0, "-o", output)
        assert ["layer2", "layer5"] in [layer["nodes"] for layer in result["layers"]]
        expected = oracle.run(model, feeds)
        assert oracle.relative_error(expected, oracle.run(models.onnx.load(output), feeds)) < 1e-6
        assert not any(node.op_type == "MatMulNBits" for node in models.onnx.load(output).graph.node)
