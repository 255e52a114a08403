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
    assert errors[1].get("message") == "not loaded" and "Stage: setup" in errors[1].text
    assert re.search(r"onnxrt +5 of 6 +5 of 5 +5 of 5 +5 of 5", ran.out), ran.out
    assert "Could not be compared: 1 of 6: the file cannot be read" in ran.text
    assert "[I] 1 of 6: zoo/broken.onnx: not loaded | the file cannot be read" in ran.text
    assert {suite.get("name"): suite.get("errors") for suite in suites_of(folder / "zoo.xml")} == {"Zoo of zoo": "1", "Models": "1", "onnxrt": "0", "openvino": "0"}
    assert "test_relu" in (folder / "zoo.html").read_text()


def test_programs_are_no_engines(polygraphy, folder):
    program = folder / "program.sh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    ran = polygraphy("zoo", "magika.onnx", "--onnxrt", "--model-runner", "program.sh")
    assert ran.code == 3 and "program.sh' of --model-runner is a program" in ran.text, ran.text


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
        # As root, peaks are reset by writing to /proc, where the kernel could be changed, too.
        ran = polygraphy("zoo", "zoo", *ENGINES, "--times", f"{name}.json", *on, "--allow-write", "/proc")
        assert re.search(r"onnxrt +[0-9.e-]+ s +[0-9.e-]+ s +[0-9.]+ MiB", ran.out), ran.out
        models = json.loads((folder / f"{name}.json").read_text())["models"]
        assert len(models) == len(MODELS) + 1
        for model in models:
            engines = model["engines"]
            assert len(engines) == (0 if model["model"].endswith("broken.onnx") else 2)
            for engine in engines:
                assert engine["load_seconds"] > 0 and engine["run_seconds"] > 0
                assert 1 << 20 < engine["peak_bytes"] < 4 << 30


def graph_of(nodes, inputs, outputs, **options):
    """A model of nodes; ends are names with shapes, of float32."""
    ends = [[onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in each.items()]
            for each in (inputs, outputs)]
    graph = onnx.helper.make_graph(nodes, "graph", *ends, **options)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


def node(op, reads, writes, **attributes):
    return onnx.helper.make_node(op, reads.split(), [writes], name=f"{op}_{writes}", **attributes)


@pytest.fixture
def planted():
    """The folder of plugins of the planted engine (tests/model_checks/faulty_backend.c)."""
    plugins = os.path.join(os.path.dirname(os.path.dirname(POLYGRAPHY)), "tests", "plugins", "faulty_backend")
    if not os.path.exists(os.path.join(plugins, "polygraphy_openvino.so")):
        pytest.skip("this build has no planted engine (ninja pg_test_faulty_backend)")
    return plugins


@pytest.fixture
def crashing(folder, planted):
    """A folder with a model that crashes the planted engine, and the engine's folder of plugins."""
    ops = ["Relu", "Abs", "Softplus", "Neg", "Tanh"]
    nodes = [onnx.helper.make_node(op, [f"t{i}"], [f"t{i + 1}"], name=op) for i, op in enumerate(ops)]
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in ("t0", f"t{len(ops)}")]
    graph = onnx.helper.make_graph(nodes, "crashing", ends[:1], ends[1:])
    (folder / "bad").mkdir()
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8),
              folder / "bad" / "crashing.onnx")
    return planted


def test_models_that_crash_are_reduced(polygraphy, crashing, folder):
    written = []
    for name, on in (("alone", []), ("tasks", ["--on", "local:2"])):
        ran = polygraphy("zoo", "bad", *ENGINES, "-o", f"{name}.json", *on, POLYGRAPHY_BACKEND_DIR=crashing)
        assert " | reduced to 1 node |" in ran.out and "| crashed at " in ran.out, ran.text
        (path,) = (folder / f"{name}_models").iterdir()
        assert path.name == "0000-bad-crashing-openvino.onnx" and f"{name}_models/{path.name}" in ran.text
        assert [node.op_type for node in onnx.load(path).graph.node] == ["Softplus"]
        written.append((path.read_bytes(), (folder / f"{name}.json").read_bytes()))
    assert written[0] == written[1]


def test_models_that_crash_are_left_alone_on_request(polygraphy, crashing, folder):
    ran = polygraphy("zoo", "bad", *ENGINES, "--no-reduce", "--report", "zoo.html", POLYGRAPHY_BACKEND_DIR=crashing)
    assert "| openvino | crashed at run | openvino was killed by SIGSEGV" in ran.out, ran.text
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


@pytest.fixture
def images(folder):
    """Two models with open sizes: one that halves an image five times, and one of ids."""
    (folder / "two").mkdir()
    half = {"kernel_shape": [2, 2], "strides": [2, 2]}
    pools = [node("MaxPool", f"t{i}", f"t{i + 1}", **half) for i in range(5)]
    onnx.save(graph_of(pools, {"t0": ["N", 3, "H", "W"]}, {"t5": ["N", 3, None, None]}), folder / "two" / "image.onnx")
    onnx.save(graph_of([node("Relu", "ids", "y")], {"ids": ["N", "L"]}, {"y": ["N", "L"]}), folder / "two" / "ids.onnx")
    return folder / "two"


def inputs_of(path):
    return [model.get("inputs") for model in json.loads(path.read_text())["models"]]


def test_open_sizes_are_those_that_the_graph_can_run(polygraphy, images, folder):
    ran = polygraphy("zoo", "two", *ENGINES, "-o", "zoo.json")
    assert ran.code == 0 and "2 models agree" in ran.text, ran.text
    assert inputs_of(folder / "zoo.json") == [["ids:[1,1]"], ["t0:[1,3,32,32]"]]


def test_options_of_inputs_are_for_models_that_have_them(polygraphy, images, folder):
    given = ["--input-shapes", "t0:[1,3,48,64]", "ids:[2,7]", "--val-range", "ids:[5,9]", "--data-loader", "random"]
    for name, on in (("alone", []), ("tasks", ["--on", "local:2"])):
        ran = polygraphy("zoo", "two", *ENGINES, *given, "-o", f"{name}.json", "--report", f"{name}.html", *on)
        assert ran.code == 0, ran.text
    assert inputs_of(folder / "alone.json") == [["ids:[2,7]"], ["t0:[1,3,48,64]"]]
    assert (folder / "alone.json").read_bytes() == (folder / "tasks.json").read_bytes()
    (command,) = re.findall(r"<code>polygraphy (run .*?)</code>", (folder / "tasks_models" / "0000-two-ids.html").read_text())
    command = shlex.split(html.unescape(command))
    assert command[-1] == "--noise-floor" and "ids:[2,7]" in command and "t0:[1,3,48,64]" not in command
    for option in ("--onnxrt-threads 1", "--openvino-threads 1", "--val-range ids:[5,9]", "--data-loader random"):
        assert option in " ".join(command)
    assert polygraphy(*command).code == 0


def test_a_name_that_no_model_has_is_an_error(polygraphy, images):
    for option in (["--input-shapes", "idz:[2,7]"], ["--val-range", "idz:[0,1]"]):
        ran = polygraphy("zoo", "two", *ENGINES, *option)
        assert ran.code == 3 and "No model has an input 'idz'" in ran.text and "'ids'" in ran.text, ran.text


def test_another_shape_accuses_no_node(polygraphy, planted, folder):
    onnx.save(graph_of([node("Relu", "x", "t"), node("Celu", "t", "y")], {"x": [2, 3]}, {"y": [2, 3]}), folder / "m.onnx")
    ran = polygraphy("zoo", "m.onnx", *ENGINES, "-o", "zoo.json", "--report", "zoo.html", POLYGRAPHY_BACKEND_DIR=planted)
    reason = "Output 'y' has the shape (0, 3) on openvino, and (2, 3) on onnxrt"
    assert ran.code == 1 and f"m.onnx | openvino | other shape | {reason}" in ran.out, ran.text
    assert "1 of 1: outputs of openvino have another shape" in ran.text
    found = json.loads((folder / "zoo.json").read_text())
    assert found["answer"]["agreement"] == "differs" and "another shape" in found["answer"]["headline"]
    engine = found["models"][0]["engines"][1]
    assert engine["outcome"] == "other shape" and engine["guilty"] == [] and engine["reason"] == reason
    assert reason in html.unescape((folder / "zoo_models" / "0000-m.html").read_text())


@pytest.mark.parametrize("on", [[], ["--on", "local:1"]])
def test_a_kill_is_no_verdict(polygraphy, planted, folder, on):
    onnx.save(graph_of([node("Mish", "x", "y")], {"x": [2, 3]}, {"y": [2, 3]}), folder / "m.onnx")

    def zoo(kills, tasks):
        (folder / "kills").write_text("k" * kills)
        return polygraphy("zoo", "m.onnx", *ENGINES, "-o", "zoo.json", *on, *(["--tasks", tasks] if on else []),
                          "--allow-write", folder, POLYGRAPHY_BACKEND_DIR=planted, PG_TEST_KILLS=folder / "kills")

    once = zoo(1, "once")
    assert once.code == 0 and "1 model agrees" in once.text, once.text
    thrice = zoo(3, "thrice")
    assert thrice.code == 3 and "Could not be compared: 1 of 1: a process was killed" in thrice.text, thrice.text
    assert "m.onnx | openvino | killed at run | openvino was killed by SIGKILL" in thrice.out
    assert outcomes(folder / "zoo.json") == {"m.onnx": "killed"}
    again = zoo(0, "thrice")
    assert again.code == 0 and "1 model agrees" in again.text, again.text


def test_numbers_that_are_not_finite_are_not_green(polygraphy, folder):
    onnx.save(graph_of([node("Log", "x", "y")], {"x": [2, 3]}, {"y": [2, 3]}), folder / "nan.onnx")
    for engines in (ENGINES[:1], ENGINES):
        ran = polygraphy("zoo", "nan.onnx", *engines, "--val-range", "x:[-2,-1]", "-o", "zoo.json")
        assert ran.code == 1 and "outputs of onnxrt are not finite" in ran.text, ran.text
        assert outcomes(folder / "zoo.json") == {"nan.onnx": "not finite"}


def test_outputs_without_elements_are_not_compared(polygraphy, folder):
    onnx.save(graph_of([node("Relu", "x", "y")], {"x": [0, 3]}, {"y": [0, 3]}), folder / "hollow.onnx")
    ran = polygraphy("zoo", "hollow.onnx", *ENGINES, "-o", "zoo.json")
    assert ran.code == 3 and "Nothing was compared" in ran.text and outcomes(folder / "zoo.json") == {"hollow.onnx": "not compared"}


def test_names_of_files_are_harmless(polygraphy, images, folder):
    name = "a\x1b]0;T\x07\u202eb.onnx"
    shutil.copy(images / "ids.onnx", images / name)
    (images / ("broken" + name)).write_bytes(b"no model")
    ran = polygraphy("zoo", "two", *ENGINES)
    assert ran.code == 1 and "broken" in ran.out, ran.text
    assert not set("\x1b\x07\u202e") & set(ran.text), ran.text


def test_a_log_has_a_line_for_each_model(polygraphy, images):
    for on in ([], ["--on", "local:1"]):
        ran = polygraphy("zoo", "two", *ENGINES, *on)
        lines = [line for line in ran.text.splitlines() if re.match(r"\[I\] [12] of 2: two/", line)]
        assert lines == ["[I] 1 of 2: two/ids.onnx: passed", "[I] 2 of 2: two/image.onnx: passed"], ran.text
