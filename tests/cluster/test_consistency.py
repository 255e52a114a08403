"""`check consistency --on`: checks as tasks, the same table however they are cut."""

import json

import onnx

WORDS = ["check", "consistency", "magika.onnx", "--onnxrt", "--openvino", "--val-range", "bytes:[0,255]",
         "--iterations", "3", "--atol", "0", "--rtol", "0"]


def test_the_same_bytes_however_it_is_cut(polygraphy, folder, slurm):
    alone = polygraphy(*WORDS, "--json", "alone.json", "--onnxrt-threads", "1", "--openvino-threads", "1")
    assert alone.code in (0, 1), alone.text
    whole = json.loads((folder / "alone.json").read_text())
    documents = []
    for on, variables in (("local:1", {}), ("local:2", {}), ("slurm:array=3", slurm.variables)):
        ran = polygraphy(*WORDS, "--on", on, "--tasks", on.replace(":", "_"), "--json", "merged.json",
                         "--report", "merged.html", **variables)
        assert ran.code == alone.code, ran.text
        documents.append((folder / "merged.json").read_bytes())
        assert "check" in (folder / "merged.html").read_text()
    assert documents[0] == documents[1] == documents[2]
    merged = json.loads(documents[0])
    assert [(row["check"], row["verdict"]) for row in merged["rows"]] == [
        (row["check"], row["verdict"]) for row in whole["rows"]]
    assert merged["summary"] == whole["summary"] and "versions" not in merged
    assert merged["answer"]["agreement"] == whole["answer"]["agreement"]


def test_checks_that_are_selected(polygraphy, folder):
    ran = polygraphy(*WORDS, "--only-check", "repeat", "threads", "--on", "local:2", "--json", "merged.json")
    assert ran.code in (0, 1), ran.text
    rows = json.loads((folder / "merged.json").read_text())["rows"]
    assert [row["check"] for row in rows] == ["repeat", "repeat", "threads"] * 2


def test_versions_of_engines_belong_to_the_tasks(polygraphy, folder):
    words = [*WORDS, "--only-check", "repeat"]
    assert polygraphy(*words, "--on", "local:1").code in (0, 1)
    plan = next((folder / "polygraphy_tasks").glob("*.jsonl")).read_text()
    assert set(json.loads(plan.splitlines()[0])["versions"]) == {"polygraphy", "onnxrt", "openvino"}
    ran = polygraphy("--task-process", *words, "--save-task", "task.json", "--task-versions", "onnxrt=0.1")
    assert ran.code == 75 and "onnxrt is 1." in ran.text, ran.text
    assert not (folder / "task.json").exists()


def test_an_engine_that_cannot_run_has_one_row(polygraphy, folder):
    node = onnx.helper.make_node("Unknown", ["x"], ["y"], domain="of.nobody")
    value = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2]) for name in "xy"]
    graph = onnx.helper.make_graph([node], "g", value[:1], value[1:])
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("of.nobody", 1)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8), folder / "unknown.onnx")
    words = ["check", "consistency", "unknown.onnx", "--onnxrt"]
    alone = polygraphy(*words, "--json", "alone.json")
    merged = polygraphy(*words, "--on", "local:2", "--json", "merged.json")
    assert alone.code == merged.code == 3, merged.text
    for name in ("alone.json", "merged.json"):
        rows = json.loads((folder / name).read_text())["rows"]
        assert [(row["check"], row["verdict"]) for row in rows] == [("run", "failed")]
