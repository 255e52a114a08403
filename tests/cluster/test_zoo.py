"""`zoo`: how far engines get with many models."""

import html
import json
import os
import re
import shlex
import shutil
import xml.etree.ElementTree

import onnx
import pytest
from conftest import POLYGRAPHY, ROOT

NODES = os.path.join(ROOT, ".deps", "onnx-testdata", "node")
MODELS = ["test_relu", "test_add", "test_softmax_axis_0", "test_gelu_default_1", "test_maxpool_2d_default"]
ENGINES = ["--onnxrt", "--openvino"]


@pytest.fixture
def zoo(folder):
    for name in MODELS:
        shutil.copytree(os.path.join(NODES, name), folder / "zoo" / name)
    (folder / "zoo" / "broken.onnx").write_bytes(b"this is no model")
    return folder / "zoo"


def outcomes(path):
    return {os.path.basename(os.path.dirname(model["model"])) or model["model"]: model["outcome"]
            for model in json.loads(path.read_text())["models"]}


def suites_of(path):
    return list(xml.etree.ElementTree.parse(path).getroot())


def test_says_how_far_each_engine_gets(polygraphy, zoo, folder):
    ran = polygraphy("zoo", "zoo", *ENGINES, "-o", "zoo.json", "--junit", "zoo.xml", "--report", "zoo.html")
    assert ran.code == 1, ran.text
    found = outcomes(folder / "zoo.json")
    assert found.pop("zoo") == "not loaded"
    assert found == {name: "passed" for name in MODELS}
    errors = [error for suite in suites_of(folder / "zoo.xml") for error in suite.iter("error")]
    assert {error.get("type") for error in errors} == {"setup"}
    assert re.search(r"onnxrt +5 of 6 +5 of 5 +5 of 5 +5 of 5", ran.out), ran.out
    assert "broken.onnx" in ran.out and "1 of 6 models fails" in ran.text
    assert {suite.get("name"): suite.get("errors") for suite in suites_of(folder / "zoo.xml")} == {"onnxrt": "1", "openvino": "1"}
    assert "test_relu" in (folder / "zoo.html").read_text()


def test_pages_of_models_have_commands_that_reproduce_them(polygraphy, zoo, folder):
    polygraphy("zoo", "zoo", *ENGINES, "--report", "zoo.html")
    pages = sorted((folder / "zoo_models").iterdir())
    assert [page.name[4:] for page in pages] == ["-zoo-broken.html"] + [f"-{name}-model.html" for name in sorted(MODELS)]
    for page in pages:
        text = page.read_text()
        assert page.name in (folder / "zoo.html").read_text()
        assert 'href="../zoo.html"' in text
        commands = re.findall(r"<code>polygraphy (.*?)</code>", text)
        assert commands, text
        for command in commands:
            ran = polygraphy(*shlex.split(html.unescape(command)))
            assert ran.code == ("broken" in page.name), ran.text


def test_tasks_give_the_same_bytes(polygraphy, zoo, folder, slurm):
    polygraphy("zoo", "zoo", *ENGINES, "-o", "alone.json")
    polygraphy("zoo", "zoo", *ENGINES, "-o", "tasks.json", "--on", "local:2")
    polygraphy("zoo", "zoo", *ENGINES, "-o", "slurm.json", "--on", "slurm:array=3", "--tasks", "slurm",
               **slurm.variables)
    alone = (folder / "alone.json").read_bytes()
    assert alone == (folder / "tasks.json").read_bytes() == (folder / "slurm.json").read_bytes()


def test_times_are_those_of_the_workers(polygraphy, zoo, folder):
    for name, on in (("alone", []), ("tasks", ["--on", "local:2"])):
        ran = polygraphy("zoo", "zoo", *ENGINES, "--times", f"{name}.json", *on)
        assert re.search(r"onnxrt +[0-9.e-]+ s +[0-9.e-]+ s +[0-9.]+ MiB", ran.out), ran.out
        models = json.loads((folder / f"{name}.json").read_text())["models"]
        assert len(models) == len(MODELS) + 1
        for model in models:
            engines = model["engines"]
            assert len(engines) == (0 if model["model"].endswith("broken.onnx") else 2)
            for engine in engines:
                assert engine["load_seconds"] > 0 and engine["run_seconds"] > 0
                assert 1 << 20 < engine["peak_bytes"] < 4 << 30


@pytest.fixture
def crashing(folder):
    """A folder with a model that crashes the planted engine, and the engine's folder of plugins."""
    plugins = os.path.join(os.path.dirname(os.path.dirname(POLYGRAPHY)), "tests", "plugins", "faulty_backend")
    if not os.path.exists(os.path.join(plugins, "polygraphy_openvino.so")):
        pytest.skip("this build has no planted engine (ninja pg_test_faulty_backend)")
    ops = ["Relu", "Abs", "Softplus", "Neg", "Tanh"]
    nodes = [onnx.helper.make_node(op, [f"t{i}"], [f"t{i + 1}"], name=op) for i, op in enumerate(ops)]
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in ("t0", f"t{len(ops)}")]
    graph = onnx.helper.make_graph(nodes, "crashing", ends[:1], ends[1:])
    (folder / "bad").mkdir()
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8),
              folder / "bad" / "crashing.onnx")
    return plugins


def test_models_that_crash_are_reduced(polygraphy, crashing, folder):
    written = []
    for name, on in (("alone", []), ("tasks", ["--on", "local:2"])):
        ran = polygraphy("zoo", "bad", *ENGINES, "-o", f"{name}.json", *on, POLYGRAPHY_BACKEND_DIR=crashing)
        assert "| crashed | reduced to 1 node |" in ran.out, ran.text
        (path,) = (folder / f"{name}_models").iterdir()
        assert path.name == "0000-bad-crashing-openvino.onnx" and f"{name}_models/{path.name}" in ran.text
        assert [node.op_type for node in onnx.load(path).graph.node] == ["Softplus"]
        written.append((path.read_bytes(), (folder / f"{name}.json").read_bytes()))
    assert written[0] == written[1]


def test_models_that_crash_are_left_alone_on_request(polygraphy, crashing, folder):
    ran = polygraphy("zoo", "bad", *ENGINES, "--no-reduce", "--report", "zoo.html", POLYGRAPHY_BACKEND_DIR=crashing)
    assert "| load | crashed | openvino" in ran.out or "| run | crashed | openvino" in ran.out, ran.text
    (page,) = (folder / "zoo_models").iterdir()
    (command,) = re.findall(r"<code>polygraphy (debug reduce .*?)</code>", page.read_text())
    ran = polygraphy(*shlex.split(html.unescape(command)), POLYGRAPHY_BACKEND_DIR=crashing)
    assert ran.code == 0 and (folder / "reduced.onnx").exists(), ran.text


def test_each_zoo_has_a_plan(polygraphy, zoo, folder):
    shutil.move(zoo / "test_add", folder / "other" / "test_add")
    for name in ("zoo", "other"):
        polygraphy("zoo", name, *ENGINES, "-v", "-o", f"{name}.json", "--on", "local:2")
    assert len(list((folder / "polygraphy_tasks").glob("*.jsonl"))) == 2
    assert outcomes(folder / "other.json") == {"test_add": "passed"}
    assert len(outcomes(folder / "zoo.json")) == len(MODELS)


def test_only_what_became_worse_fails_with_a_baseline(polygraphy, zoo, folder):
    polygraphy("zoo", "zoo", *ENGINES, "-o", "zoo.json")
    same = polygraphy("zoo", "zoo", *ENGINES, "--baseline", "zoo.json")
    assert same.code == 0 and "No model is worse than in" in same.text
    (zoo / "test_relu" / "model.onnx").write_bytes(b"broken")
    worse = polygraphy("zoo", "zoo", *ENGINES, "--baseline", "zoo.json")
    assert worse.code == 1
    assert "test_relu/model.onnx: not loaded, was" in worse.text


def test_a_zoo_of_another_version_is_another_job(polygraphy, zoo, folder):
    assert polygraphy("zoo", "zoo", *ENGINES, "--on", "local:2").code == 1
    job = json.loads(next((folder / "polygraphy_tasks").glob("*.jsonl")).read_text().splitlines()[0])
    assert set(job["versions"]) == {"polygraphy", "onnxrt", "openvino"}
    ran = polygraphy("--task-process", "zoo", "zoo/test_relu", *ENGINES, "--save-task", "task.json", "--task-versions",
                     "onnxrt=0.1")
    assert ran.code == 75 and "onnxrt is 1." in ran.text, ran.text


def test_the_workflow_runs(polygraphy, zoo, folder):
    """examples/ci/zoo.yml, which is on the page: its commands, in a repository with models."""
    yaml = pytest.importorskip("yaml")
    with open(os.path.join(ROOT, "examples", "ci", "zoo.yml")) as file:
        text = file.read()
    with open(os.path.join(ROOT, "docs", "cluster.md")) as file:
        assert f"```yaml\n{text}```" in file.read()
    steps = yaml.safe_load(text)["jobs"]["zoo"]["steps"]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("polygraphy")]
    (first,) = re.findall(r"^#   polygraphy (.*)$", text, re.M)
    zoo.rename(folder / "models")
    assert polygraphy(*shlex.split(first)).code == 1  # one of these models is broken
    for command in commands:
        ran = polygraphy(*shlex.split(command.replace("\\\n", " "))[1:])
        assert ran.code == 0 and "No model is worse than in" in ran.text, ran.text
    (uploaded,) = [step["with"]["path"] for step in steps if "upload-artifact" in step.get("uses", "")]
    for path in uploaded.split():
        assert (folder / path).exists(), path
    kept = [step["with"]["path"] for step in steps if "cache" in step.get("uses", "")]
    assert "polygraphy_tasks" in kept and (folder / "polygraphy_tasks").is_dir()


def test_what_is_missing_is_said_before_the_work(polygraphy, zoo):
    for options in (["missing"], ["zoo", "--baseline", "missing.json"]):
        ran = polygraphy("zoo", *options, *ENGINES)
        assert ran.code == 3 and "cannot open 'missing" in ran.text and "passes" not in ran.text, ran.text
