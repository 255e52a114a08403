"""inspect model --visual: the graph in a browser."""

import os
import shlex
import subprocess
from contextlib import contextmanager

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from conftest import POLYGRAPHY, run
from page import Page


@pytest.fixture(scope="session")
def viewed(tmp_path_factory):
    """A row of convolutions; each reads weights, and a Constant behind an Unsqueeze."""
    folder = tmp_path_factory.mktemp("viewer")
    nodes, weights = [], []
    for i in range(6):
        weights.append(numpy_helper.from_array(np.zeros((3, 3, 1, 1), np.float32), f"w{i}"))
        value = numpy_helper.from_array(np.ones((1, 1, 1), np.float32))
        nodes += [
            helper.make_node("Constant", [], [f"c{i}"], value=value, name=f"constant_{i}"),
            helper.make_node("Unsqueeze", [f"c{i}", "axes"], [f"u{i}"], name=f"unsqueeze_{i}"),
            helper.make_node("Conv", [f"t{i}", f"w{i}"], [f"v{i}"], name=f"conv_{i}"),
            helper.make_node("Mul", [f"v{i}", f"u{i}"], [f"t{i + 1}"], name=f"mul_{i}"),
        ]
    weights.append(numpy_helper.from_array(np.int64([0]), "axes"))
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, 4, 4])  # noqa: E731
    graph = helper.make_graph(nodes, "row", [value("t0")], [value("t6")], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    run("inspect", "model", folder / "m.onnx", "--visual", "--save-visual", folder / "m.html")
    return folder / "m.html"


def places(page):
    """The middle of each node, by its name or operator."""
    return page.script("""
        const whole = [...document.querySelectorAll('.tools button')].find((one) => one.textContent === 'Whole graph');
        whole.click();
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
          const found = {};
          for (const node of document.querySelectorAll('.node')) {
            const box = node.querySelector('rect');
            const [x, y, width] = ['x', 'y', 'width'].map((name) => Number(box.getAttribute(name)));
            const name = node.querySelector('.name') || node.querySelector('.op');
            found[name.textContent] = [x + width / 2, y];
          }
          done(found);
        })))""")


def test_constants_stand_beside_their_reader(browser, viewed):
    page = Page(browser, viewed)
    at = places(page)
    row = ["t0", *(f"{op}_{i}" for i in range(6) for op in ("conv", "mul")), "t6"]
    assert max(at[name][0] for name in row) - min(at[name][0] for name in row) < 2, "the row is straight"
    for i in range(6):
        assert at[f"unsqueeze_{i}"][1] == at[f"conv_{i}"][1] > at[f"constant_{i}"][1]
    assert page.errors() == []


def test_nodes_show_their_kind_and_weights(browser, viewed):
    page = Page(browser, viewed)
    places(page)
    assert page.violations() == []
    assert {text.text for text in page.all(".node.heavy .weights")} == {"(3, 3, 1, 1)"}
    fills = {page.style(page.all(f".node.{kind} rect")[0], "fill") for kind in ("heavy", "constant", "move", "kind1")}
    assert len(fills) == 4
    legend = page.all(".legend")[0].text.split("\n")
    assert legend == ["input", "output", "moves data", "constant", "Conv, MatMul"]


def test_search_lists_what_it_finds(browser, viewed):
    page = Page(browser, viewed)
    search = page.all("input[type=search]")[0]
    search.send_keys("unsqueeze_")
    assert page.wait_for("aside h2")[0].text == "6 found"
    assert page.all("aside li")[2].text == "unsqueeze_2 [Op: Unsqueeze]"
    search.send_keys(Keys.ENTER)
    assert page.wait_for(".node.chosen .name")[0].text == "unsqueeze_0"


def test_it_is_dark_where_the_browser_is(browser, viewed):
    page = Page(browser, viewed)
    drawing = page.all("body")[0]
    light = page.style(drawing, "backgroundColor")
    page.media(prefers_color_scheme="dark")
    assert page.style(drawing, "backgroundColor") != light
    page.media()


def choose(page, name):
    page.all("input[type=search]")[0].send_keys(name, Keys.ENTER)
    page.wait_for("aside code")


def test_a_weight_shows_its_values(browser, viewed):
    page = Page(browser, viewed)
    choose(page, "conv_3")
    next(button for button in page.all("aside li button") if "w3" in button.text).click()
    text = page.all("aside")[0].text
    assert "Minimum: 0\nMaximum: 0\nMean: 0\nStandard deviation: 0\nZeros: 100 %" in text
    assert ", ".join(["0.0"] * 9) in text
    assert page.errors() == []


def nodes_of(path):
    return {node.name for node in onnx.load(path).graph.node}


def test_the_command_extracts_the_part_around_a_node(browser, viewed, tmp_path):
    page = Page(browser, viewed)
    choose(page, "conv_3")
    assert page.all("aside code")[0].text.endswith("m.onnx --inputs t3:auto:auto --outputs v3:auto -o part.onnx")
    page.all("aside input[type=number]")[0].send_keys(Keys.ARROW_UP)
    command = shlex.split(page.all("aside code")[0].text)
    subprocess.run([POLYGRAPHY, *command[1:]], cwd=tmp_path, check=True, capture_output=True)
    assert nodes_of(tmp_path / "part.onnx") == {"mul_2", "conv_3", "mul_3"}
    assert not [button for button in page.all("aside button") if button.text == "Download"]


@contextmanager
def served(model):
    command = [POLYGRAPHY, "inspect", "model", model, "--visual", "--visual-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            line = next(line for line in server.stdout if "Viewer available" in line)
            yield line.split(" at ")[1].split()[0]
        finally:
            server.terminate()


def test_the_server_extracts_it_too(browser, viewed, tmp_path):
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    with served(viewed.with_suffix(".onnx")) as url:
        page = Page(browser, url)
        choose(page, "conv_3")
        next(button for button in page.all("aside button") if button.text == "Download").click()
        WebDriverWait(browser, 10).until(lambda _: os.path.exists(tmp_path / "part.onnx"))
        assert page.all("aside [role=status]")[0].text == "part.onnx is downloaded."
        assert nodes_of(tmp_path / "part.onnx") == {"conv_3"}
        assert page.errors() == []
