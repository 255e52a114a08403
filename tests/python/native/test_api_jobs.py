"""polygraphy_native.diff(), lint() and reduce()."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import helper

import polygraphy_native as pn
from api_models import MAGIKA, proto
from terminal import shown_on_a_terminal


@pytest.fixture
def model():
    return pn.Model.from_proto(proto())


def test_equal_models(model):
    assert not pn.diff(model, model) and not pn.diff(model, model.copy())
    found = pn.diff(MAGIKA, MAGIKA)
    assert found.equal and found.findings == () and found.text


def test_differences(model):
    message = proto()
    message.graph.node[1].op_type = "Elu"
    message.graph.node[1].attribute.append(helper.make_attribute("alpha", 0.5))
    other = pn.Model.from_proto(message)
    other.set_array("c", np.float32([1, 2, 4]))
    found = pn.diff(model, other)
    assert found and not found.equal
    kinds = {(each.kind, each.state) for each in found.findings}
    assert ("initializer", "changed") in kinds and any(kind == "node" for kind, _ in kinds)
    (weights,) = (each for each in found.findings if each.kind == "initializer")
    assert weights.name == "c" and weights.values["different"] == 1 and weights.values["max_abs"] == 1
    assert "Elu" in found.text and found.report["equal"] is False
    assert not [each for each in pn.diff(model, other, atol=1).findings if each.kind == "initializer"]
    other.set_array("c", np.float32([1, 2, np.nan]))
    (weights,) = (each for each in pn.diff(model, other).findings if each.kind == "initializer")
    assert np.isnan(weights.values["max_abs"]) and isinstance(weights.values["max_abs"], float)
    assert not [each for each in pn.diff(model, other, ignore=["weights"]).findings if each.kind == "initializer"]


def test_options_of_diff_that_make_no_sense(model):
    with pytest.raises(pn.Error, match="'colours'"):
        pn.diff(model, model, ignore=["colours"])
    with pytest.raises(pn.Error, match="-1"):
        pn.diff(model, model, atol=-1)


def test_models_that_are_fine(model):
    assert not [each for each in pn.lint(model) if each.level == "exception"]
    assert not [each for each in pn.lint(MAGIKA) if each.level == "exception"]


def test_findings(tmp_path):
    message = proto()
    message.graph.node[1].op_type = "NoSuchOperator"
    message.graph.node[1].name = "wrong"
    found = pn.lint(pn.Model.from_proto(message))
    assert any(each.level == "exception" and "NoSuchOperator" in each.message for each in found)
    assert any(each.node == "wrong" for each in found)
    (tmp_path / "m.onnx").write_bytes(b"no model")
    (finding,) = pn.lint(tmp_path / "m.onnx")
    assert (finding.level, finding.source) == ("exception", "onnx_loader")
    with pytest.raises(pn.Error, match="nowhere"):
        pn.lint(tmp_path / "nowhere.onnx")
    with pytest.raises(pn.Error, match="'nothing'"):
        pn.lint(tmp_path / "m.onnx", only_rules=["nothing"])
    for timeout in (0, -1, float("nan")):
        with pytest.raises(pn.Error, match="positive number of seconds"):
            pn.lint(tmp_path / "m.onnx", timeout=timeout)
        with pytest.raises(pn.Error, match="positive number of seconds"):
            pn.run(MAGIKA, timeout=timeout)


def long_model(length=40, at=27):
    """A chain of nodes with one Softsign."""
    nodes = [helper.make_node("Softsign" if i == at else "Neg", [f"t{i}"], [f"t{i + 1}"], name=f"n{i}")
             for i in range(length)]
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2]) for name in ("t0", f"t{length}")]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:])
    return pn.Model.from_proto(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]))


def passes(candidate):
    return all(node.op_type != "Softsign" for node in candidate.nodes)


@pytest.mark.parametrize("mode", ["bisect", "linear", "auto"])
def test_reducing_by_a_function(mode):
    model = long_model()
    before = model.to_bytes()
    smallest = pn.reduce(model, check=passes, mode=mode)
    assert [node.name for node in smallest.nodes] == ["n27"]
    assert model.to_bytes() == before
    ones = np.ones(smallest.inputs[0].shape, np.float32)
    (result,) = pn.run(smallest, inputs={smallest.inputs[0].name: ones})
    assert set(next(iter(result.outputs.values())).tolist()) == {0.5}


def test_reducing_by_a_command(tmp_path):
    long_model().save(tmp_path / "m.onnx")
    smallest = pn.reduce(tmp_path / "m.onnx", check=["sh", "-c", "! grep -q Softsign {model}"])
    assert [node.name for node in smallest.nodes] == ["n27"]
    smallest = pn.reduce(long_model(), check=["cat", "{model}"], fail_regex=["Soft[a-z]+"])
    assert [node.name for node in smallest.nodes] == ["n27"]


def test_checks_run_candidates():
    def same(candidate):
        candidate.cleanup()
        return bool(pn.compare(candidate, backends=["onnxrt", "onnxrt"])) and passes(candidate)

    assert len(pn.reduce(long_model(6, 3), check=same).nodes) == 1


def test_what_a_check_raises_comes_through():
    failure = KeyError("of the check")

    def check(candidate):
        raise failure

    with pytest.raises(KeyError) as caught:
        pn.reduce(long_model(), check=check)
    assert caught.value is failure


def test_nothing_to_reduce():
    with pytest.raises(pn.Error, match="passes on the model itself"):
        pn.reduce(long_model(), check=lambda candidate: True)
    with pytest.raises(pn.Error, match="mode 'fast'"):
        pn.reduce(long_model(), check=passes, mode="fast")
    with pytest.raises(TypeError):
        pn.reduce(long_model(), check="grep Softsign")


SLOW = """
import time
import numpy as np
import polygraphy_native as pn

def feeds():
    for i in range(6):
        time.sleep(0.3)
        yield {"bytes": np.full((1, 2048), i, np.int32)}

pn.run(%r, inputs=feeds())
"""


def test_a_terminal_shows_the_progress():
    """And no other standard error does."""
    script = SLOW % str(MAGIKA)
    shown = shown_on_a_terminal(script)
    assert "\r\x1b[Kiteration: " in shown and shown.endswith("\r\x1b[K"), shown
    piped = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert piped.stdout + piped.stderr == b""
