"""`plugin` under both tools: the same messages, the same YAML, the same models.

The original takes plugins in the order of a set; where there is more than one, messages and documents are compared
without their order.
"""
import functools
import glob
import os
import pathlib
import re
import tempfile
import textwrap

import onnx
import pytest
import python_program
from differences import expect
from harness import ROOT, Result, mask, run_original, run_ours
from onnx import parser
from test_surgeon import model_fields

yaml = pytest.importorskip("yaml", reason="the original writes with PyYAML: run scripts/setup_parity.sh")

TOY = """<ir_version: 9, opset_import: ["" : 17]>
g (float[2,2] i1, float[2,2] i2) => (float[2,2] z, float[2,2] o2) <float[2,2] w = {1, 2, 3, 4}> {
  [n1] a = A (i1)
  [n2] b = B (i1)
  [n3] c = C <x: float = 1.0> (a, b)
  [n4] o1 = D (c)
  [n5] o2 = E (c)
  [r1] r = Relu (o1)
  [ad] y = Add (r, w)
  [r2] z0 = Relu (y)
  [mu] z = Mul (z0, i2)
}"""

DIAMOND = """
    import onnx_graphsurgeon as gs

    def get_matching_subgraphs(graph):
        pattern = gs.GraphPattern()
        in_0, in_1 = pattern.variable(), pattern.variable()
        a = pattern.add("Anode", "A", inputs=[in_0])
        b = pattern.add("Bnode", "B", inputs=[in_1])
        c = pattern.add("Cnode", "C", inputs=[a, b], check_func=lambda node: node.attrs["x"] < 2.0)
        pattern.set_output_tensors([pattern.add("Dnode", "D", inputs=[c]), pattern.add("Enode", "E", inputs=[c])])
        return [{"inputs": sorted({t.name for t in m.inputs}), "outputs": [t.name for t in m.outputs],
                 "attributes": {"ToyX": int(m.get("Cnode").attrs["x"]) * 2}} for m in pattern.match_all(graph)]

    def get_plugin_metadata():
        return {"name": "toyPlugin", "op": "CustomToyPlugin", "more": 1}
    """

RELU = """
    def get_matching_subgraphs(graph):
        print("looking for", "Relu")
        return [{"inputs": [n.inputs[0].name], "outputs": [n.outputs[0].name],
                 "attributes": {"name": n.name, "f": 1.5, "l": [1, 2], "mixed": [1.5, 2], "s": "true", "b": True,
                                "texts": ["a", "é"]}} for n in graph.nodes if n.op == "Relu"]

    def get_plugin_metadata():
        return {"name": "relu", "op": "Relu_TRT"}
    """

NOTHING = """
    def get_matching_subgraphs(graph):
        return []

    def get_plugin_metadata():
        return {"name": "nothing", "op": "N"}
    """

OWN = RELU + """
    def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
        inputs, outputs = input_tensors, output_tensors
        if outputs[0].name == "z0":
            return False
        outputs[0].inputs[0].outputs.clear()
        inputs[0].outputs.clear()
        attrs["more"] = len(graph.nodes)
        new = graph.layer(op=op, name="own_" + outputs[0].name, inputs=inputs, outputs=outputs, attrs=attrs)
        graph.nodes.insert(0, graph.nodes.pop())
        graph.cleanup().toposort()
        return bool(new)
    """


WHERE = """
    import onnx_graphsurgeon as gs

    def get_matching_subgraphs(graph):
        print("graphs of", gs.__file__)
        return []

    def get_plugin_metadata():
        return {"name": "where", "op": "N"}
    """


@functools.cache
def package_of_patterns(kind):
    """The file of the package that patterns get, as one of them says. The Python is that of the fixture."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        onnx.save(parser.parse_model(TOY), folder / "toy.onnx")
        write(folder, where=WHERE)
        r = run_ours(["plugin", "list", "toy.onnx", "--plugin-dir", "plugins"], str(folder))
        found = re.search("graphs of (.*)", r.stdout)
        assert found, (r.stdout, r.stderr)
        return found.group(1)


@pytest.fixture(params=["native", "installed"])
def graphsurgeon(request, tmp_path, monkeypatch):
    """The package that patterns import: that beside the executable, or the original."""
    extra = tmp_path / "site"
    extra.mkdir()
    if request.param == "installed":
        (extra / "sitecustomize.py").write_text("import onnx_graphsurgeon")
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, extra, python_program.PACKAGES))
    package = package_of_patterns(request.param)
    is_original = package.startswith(os.path.join(python_program.PACKAGES, ""))
    assert is_original == (request.param == "installed"), (
        "patterns got %s: is the extension built (ninja polygraphy_native)?" % package)
    return request.param


@pytest.fixture
def folder(tmp_path):
    onnx.save(parser.parse_model(TOY), tmp_path / "toy.onnx")
    return tmp_path


def write(folder, **patterns):
    for name, text in patterns.items():
        (folder / "plugins" / name).mkdir(parents=True, exist_ok=True)
        (folder / "plugins" / name / "pattern.py").write_text(textwrap.dedent(text))


def clean(text):
    text = re.sub(r"^\[W\] *\t*colored module is not installed.*\n", "", mask(text), flags=re.M)
    text = re.sub(r"^\[I\] Saving ONNX model to: .*\n", "", text, flags=re.M)
    return re.sub(r"/(ours|original)/", "/<tool>/", text)


def both_in(folder, args):
    """Runs both, each in a separate folder beside the model and the plugins."""
    results = []
    for name, run in (("ours", run_ours), ("original", run_original)):
        (folder / name).mkdir(exist_ok=True)
        r = run([str(a) for a in args], str(folder / name))
        results.append(Result(r.code, clean(r.stdout), clean(r.stderr)))
    return tuple(results)


def same(folder, args, but=lambda text: text):
    ours, original = both_in(folder, ["plugin", *args])
    assert (ours.code, but(ours.stdout)) == (original.code, but(original.stdout)), original.stderr
    return ours, original


def same_files(folder, name="config.yaml"):
    ours, original = (folder / who / name for who in ("ours", "original"))
    assert ours.read_text() == original.read_text()
    return ours.read_text()


def test_list(graphsurgeon, folder):
    write(folder, toyPlugin=DIAMOND)
    ours, _ = same(folder, ["list", "../toy.onnx", "--plugin-dir", "../plugins"])
    assert ours.stdout.endswith("[I] the following plugins matched:\n[I] {'toyPlugin': 1}\n")


def test_match(graphsurgeon, folder):
    write(folder, toyPlugin=DIAMOND)
    same(folder, ["match", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "config.yaml"])
    assert same_files(folder).startswith("name: toyPlugin\nop: CustomToyPlugin\ninstances:\n- inputs:\n  - i1\n")


def test_match_many(graphsurgeon, folder):
    write(folder, toyPlugin=DIAMOND, relu=RELU, nothing=NOTHING)
    (folder / "plugins" / "no_pattern").mkdir()
    (folder / "plugins" / "file.txt").write_text("")

    def sorted_lines(text):
        return sorted(line for line in text.splitlines() if not line.startswith("[I] {"))

    ours, original = same(folder, ["match", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "config.yaml"], sorted_lines)
    assert "[I] {'nothing': 0, 'relu': 2, 'toyPlugin': 1}" in ours.stdout
    documents = [list(yaml.safe_load_all((folder / who / "config.yaml").open())) for who in ("ours", "original")]
    assert [d["name"] for d in documents[0]] == ["relu", "toyPlugin"]
    assert documents[0] == sorted(documents[1], key=lambda document: document["name"])


@pytest.mark.parametrize("choice", [["--include", "relu"], ["--exclude", "toyPlugin", "nothing"]])
def test_choice(folder, choice):
    write(folder, toyPlugin=DIAMOND, relu=RELU, nothing=NOTHING)
    same(folder, ["match", "../toy.onnx", "--plugin-dir", "../plugins/", *choice, "-o", "config.yaml"])
    assert "name: relu" in same_files(folder)


def test_none_chosen(folder):
    write(folder, relu=RELU)
    ours, _ = both_in(folder, ["plugin", "match", "../toy.onnx", "--plugin-dir", "../plugins", "--include", "rely", "-o", "config.yaml"])
    assert ours.code == 0 and "Did you mean 'relu'?" in ours.stdout
    assert same_files(folder) == ""


def test_include_and_exclude(folder):
    write(folder, relu=RELU)
    ours, original = same(folder, ["list", "../toy.onnx", "--plugin-dir", "../plugins", "--include", "a", "--exclude", "b"])
    assert ours.code == 2 and ours.stderr.splitlines()[-1] == original.stderr.splitlines()[-1]


def test_files_are_beside_the_model(folder):
    write(folder, relu=RELU)
    for name, run in (("ours", run_ours), ("original", run_original)):
        os.makedirs(folder / name / "models")
        onnx.save(parser.parse_model(TOY), folder / name / "models" / "toy.onnx")
    ours, original = same(folder, ["match", "models/toy.onnx", "--plugin-dir", "../plugins"])
    assert "Matching subgraphs saved to /" in ours.stdout
    same_files(folder, "models/config.yaml")
    assert run_ours(["plugin", "replace", "models/toy.onnx", "--plugin-dir", "../plugins"], folder / "ours").code == 0
    # The original looks for its configuration in the current folder's "models/config.yaml", too.
    assert run_original(["plugin", "replace", "models/toy.onnx", "--plugin-dir", "../plugins"], folder / "original").code == 0
    assert [os.path.exists(folder / name / "models" / "replaced.onnx") for name in ("ours", "original")] == [True, True]


VALUES = {
    "numbers": "{'i': -3, 'big': 2**62, 'f': 1.0, 'small': 1e-5, 'large': 1e20, 'inf': float('inf'), 'nan': float('nan'), 'b': False}",
    "texts": "{'a': 'yes', 'b': '1.5', 'c': 'a: b', 'd': '', 'e': '*x', 'f': ' x', 'g': 'a\\nb', 'h': '~', 'i': '1e5', 'j': '0x1F', 'k': \"it's\"}",
    "long texts": "{'a': 'word ' * 40, 'b': 'x' * 200, 'c' * 140: 1, 'd': 'tab\\tquote\"', 'e': 'word: ' * 30}",
    "unicode": "{'é': 'ü ☃ \\U0001f600', 'control': '\\x07\\x85'}",
    "nested": "{'l': [], 'm': {}, 'n': [[1, [2, 3]], [], {'k': [1], 'q': {}}], 'o': {'p': {'q': 1}}, 'none': None}",
    "none at all": "{}",
}


@pytest.mark.parametrize("values", VALUES)
def test_values(folder, values):
    write(folder, p=f"""
        def get_matching_subgraphs(graph):
            return [{{"inputs": ["i1"], "outputs": ["o1"], "attributes": {VALUES[values]}, "extra": [1]}},
                    {{"outputs": ["o1"], "inputs": ["i1"]}}]
        def get_plugin_metadata():
            return {{"name": "p: q", "op": "yes"}}""")
    same(folder, ["match", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "config.yaml"])
    same_files(folder)


def test_tuples_are_lists(folder):
    write(folder, p="""
        import numpy as np
        def get_matching_subgraphs(graph):
            return [{"inputs": ["i1"], "outputs": ["o1"], "attributes": {"t": (1, 2), "n": np.int64(3), "a": np.arange(2)}}]
        def get_plugin_metadata():
            return {"name": "p", "op": "P"}""")
    both_in(folder, ["plugin", "match", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "config.yaml"])
    texts = [(folder / who / "config.yaml").read_text() for who in ("ours", "original")]
    expect("plugin-values-of-python", *texts)
    assert yaml.safe_load(texts[0])["instances"][0]["attributes"] == {"t": [1, 2], "n": 3, "a": [0, 1]}


def replaced(folder, model="../toy.onnx", config="../config.yaml", *args):
    ours, original = both_in(folder, ["plugin", "replace", model, "--plugin-dir", "../plugins", "--config", config, "-o", "out.onnx", *args])
    assert (ours.code, ours.stdout) == (original.code, original.stdout), original.stderr + ours.stderr
    assert (ours.code, ours.stderr) == (0, "")
    return ours, original


def same_models(folder):
    ours, original = (model_fields(folder / who / "out.onnx") for who in ("ours", "original"))
    assert ours == original
    return ours


def test_replace(folder):
    write(folder, toyPlugin=DIAMOND, relu=RELU)
    assert run_ours(["plugin", "match", "toy.onnx", "--plugin-dir", "plugins"], folder).code == 0
    ours, original = replaced(folder)
    assert "[I] replaced 2 instances of relu plugin\n[I] replaced 1 instances of toyPlugin plugin\n" in ours.stdout
    expect("plugin-without-a-replacement", ours.stderr, original.stderr)
    assert [node[0] for node in same_models(folder)["nodes"]] == ["CustomToyPlugin", "Relu_TRT", "Add", "Relu_TRT", "Mul"]


def test_own_replacement(graphsurgeon, folder):
    write(folder, relu=OWN, toyPlugin=DIAMOND)
    assert run_ours(["plugin", "match", "toy.onnx", "--plugin-dir", "plugins"], folder).code == 0
    ours, _ = replaced(folder)
    assert "[I] replaced 1 instances of relu plugin\n[W] Warning: not all instances of relu were replaced!\n" in ours.stdout
    assert "own_r" in [node[1] for node in same_models(folder)["nodes"]]


def test_replacement_of_an_unknown_plugin(folder):
    write(folder, relu=RELU)
    (folder / "config.yaml").write_text("name: other\nop: P\ninstances:\n- inputs: [o1]\n  outputs: [r]\n")
    ours, original = both_in(folder, ["plugin", "replace", "../toy.onnx", "--plugin-dir", "../plugins", "--config", "../config.yaml", "-o", "out.onnx"])
    assert ours.code == original.code == 0
    expect("plugin-of-another-name", ours.stdout, original.stderr)
    same_models(folder)


def test_other_consumers_keep_their_inputs(folder):
    write(folder, relu=RELU)
    (folder / "config.yaml").write_text("name: relu\nop: P\ninstances:\n- inputs: [i1]\n  outputs: [a]\n")
    both_in(folder, ["plugin", "replace", "../toy.onnx", "--plugin-dir", "../plugins", "--config", "../config.yaml", "-o", "out.onnx"])
    texts = [onnx.printer.to_text(onnx.load(folder / who / "out.onnx")) for who in ("ours", "original")]
    expect("plugin-keeps-other-consumers", *texts)


def test_own_replacement_is_sorted(folder):
    write(folder, relu=RELU + """
    def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
        inputs, outputs = input_tensors, output_tensors
        outputs[0].inputs.clear()
        graph.layer(op=op, name="own", inputs=inputs, outputs=outputs)
        return True
    """)
    (folder / "config.yaml").write_text("name: relu\nop: P\ninstances:\n- inputs: [o1]\n  outputs: [r]\n")
    replaced(folder)
    texts = [" ".join(node.op_type for node in onnx.load(folder / who / "out.onnx").graph.node) for who in ("ours", "original")]
    expect("plugin-nodes-are-sorted", *texts)


EDGES = """
    def get_matching_subgraphs(graph):
        found, used = [], set()
        for i, node in enumerate(graph.nodes):
            inputs = [t for t in node.inputs if t.inputs]
            taken = {t.name for t in [*inputs, *node.outputs]}
            if not inputs or used & taken or any(len(t.outputs) != 1 or t in graph.outputs for t in inputs) or list(node.subgraphs()):
                continue
            if any(not t.name for t in node.outputs) or not any(t.outputs or t in graph.outputs for t in node.outputs):
                continue
            used |= taken
            found.append({"inputs": [t.name for t in inputs], "outputs": [t.name for t in node.outputs],
                          "attributes": {"number": i, "was": node.op}})
        return found

    def get_plugin_metadata():
        return {"name": "edges", "op": "Plugin"}
    """


def test_real_models(testdata, tmp_path):
    """Every node that nothing else shares its inputs with."""
    paths = [*sorted(glob.glob(os.path.join(testdata, "light", "*.onnx")))[:2],
             *sorted(glob.glob(os.path.join(testdata, "pytorch-*", "*", "model.onnx")))[::10]]
    count = 0
    for i, path in enumerate(paths):
        folder = tmp_path / str(i)
        write(folder, edges=EDGES)
        same(folder, ["match", path, "--plugin-dir", "../plugins", "-o", "config.yaml"])
        config = same_files(folder)
        count += config.count("was:")
        if config:
            replaced(folder, path, folder / "ours" / "config.yaml")
            same_models(folder)
    assert count > 100


@pytest.mark.parametrize("text, message", [
    ("import nosuch", "Could not import symbol: get_matching_subgraphs from script: "),
    ("def get_plugin_metadata(): pass", "Could not import symbol: get_matching_subgraphs from script: "),
    ("def get_matching_subgraphs(graph): return [{'inputs': ['i1'], 'outputs': ['o1']}]", "Could not import symbol: get_plugin_metadata from script: "),
    ("def get_matching_subgraphs(graph): raise ValueError('x')", "get_matching_subgraphs() failed: ValueError: x"),
    ("def get_matching_subgraphs(graph): yield {}", "get_matching_subgraphs() returned a generator, but a list of dicts is needed"),
])
def test_pattern_files_that_fail(folder, text, message):
    write(folder, p=text)
    ours, original = both_in(folder, ["plugin", "match", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "config.yaml"])
    assert (ours.code, original.code) == (1, 1)
    assert ours.stdout == original.stdout
    assert ours.stderr.startswith("[!] ") and message in ours.stderr.splitlines()[0] and "plugins/p/pattern.py" in ours.stderr.splitlines()[0]
    assert not (folder / "ours" / "config.yaml").exists()


@pytest.mark.parametrize("config, message", [
    ("name: relu\nop: P\ninstances:\n- inputs: [nope]\n  outputs: [r]\n", "line 4) names the tensor 'nope', which the model does not have"),
    ("name: relu\nop: P\n", "line 1: the key 'instances' is missing"),
    ("name: relu\ninstances: []\n", "line 1: the key 'op' is missing"),
    ("name: relu\nop: P\ninstances:\n- outputs: [r]\n", "line 4: the key 'inputs' is missing"),
    ("name: relu\nop: P\ninstances:\n- inputs: [o1]\n  outputs: []\n", "has no outputs"),
    ("name: relu\nop: P\ninstances:\n- inputs: [o1]\n  outputs: [i1]\n", "cannot produce the tensor 'i1': it is an input of the model"),
    ("name: relu\nop: P\ninstances:\n- inputs: [o1]\n  outputs: [r]\n  attributes: {e: []}\n", "the attribute 'e' is an empty list"),
    ("name: relu\nop: P\ninstances:\n- inputs: [o1]\n  outputs: [r]\n  attributes: {e: null}\n", "the attribute 'e' is nothing"),
    ("a: [", "line 2: invalid YAML"),
    ("- 1", "line 1: a document is a list"),
])
def test_configurations_that_fail(folder, config, message):
    write(folder, relu=RELU)
    (folder / "config.yaml").write_text(config)
    ours, original = both_in(folder, ["plugin", "replace", "../toy.onnx", "--plugin-dir", "../plugins", "--config", "../config.yaml", "-o", "out.onnx"])
    # Without "op", the original replaces nothing and says nothing.
    assert ours.code == 1 and (original.code == 1 or "'op'" in message)
    assert ours.stderr.startswith("[!] ") and message in ours.stderr.splitlines()[0] and "config.yaml" in ours.stderr.splitlines()[0]
    assert not (folder / "ours" / "out.onnx").exists()


def test_modules_beside_patterns(folder):
    """Each pattern imports the modules of its folder, also late. The original gives all of them the first one's, and
    finds no module that is imported late."""
    for plugin in ("a", "b"):
        write(folder, **{plugin: f"""
            import helper
            def get_matching_subgraphs(graph):
                import late
                return [{{"inputs": ["i1"], "outputs": ["a"], "attributes": {{"early": helper.NAME, "late": late.NAME}}}}]
            def get_plugin_metadata():
                return {{"name": {plugin!r}, "op": "P"}}"""})
        for name in ("helper", "late"):
            (folder / "plugins" / plugin / f"{name}.py").write_text(f"NAME = {plugin!r}")
    assert run_ours(["plugin", "match", "toy.onnx", "--plugin-dir", "plugins"], folder).code == 0
    documents = list(yaml.safe_load_all((folder / "config.yaml").open()))
    assert [d["instances"][0]["attributes"] for d in documents] == [{"early": "a", "late": "a"}, {"early": "b", "late": "b"}]


def test_no_folder_of_plugins(folder):
    ours, original = both_in(folder, ["plugin", "match", "../toy.onnx", "--plugin-dir", "nowhere", "-o", "config.yaml"])
    expect("no-folder-of-plugins", ours.stderr, original.stdout)


def test_external_data(graphsurgeon, folder):
    """Values that a pattern reads come from the data file; those that none reads stay there."""
    model = parser.parse_model(TOY)
    onnx.save(model, folder / "big.onnx", save_as_external_data=True, location="big.data", size_threshold=0)
    write(folder, relu=OWN.replace('print("looking for", "Relu")', 'print([t.values.tolist() for n in graph.nodes for t in n.inputs if t.name == "w"])'))
    same(folder, ["match", "../big.onnx", "--plugin-dir", "../plugins", "-o", "../config.yaml"])
    replaced(folder, "../big.onnx")
    fields = same_models(folder)
    assert [w[0] for w in fields["initializers"]] == ["w"]


AUTOTUNE = ["autotune", "../toy.onnx", "--plugin-dir", "../plugins", "-o", "out.onnx", "--skip-autotuning"]


def without_loading(text):
    """The original does not say which model it loads here."""
    return re.sub(r"^\[I\] Loading model: .*\n", "", text, flags=re.M)


@pytest.mark.parametrize("saving", [["--save-config-yaml"], ["--save-config-yaml", "c.yaml"]])
def test_autotune_that_is_skipped(folder, saving):
    write(folder, toyPlugin=DIAMOND)
    ours, _ = same(folder, [*AUTOTUNE, *saving], without_loading)
    assert ours.stdout.startswith("[I] Loaded 1 plugin(s) from ../plugins\n")
    config = same_files(folder, (saving + ["config.yaml"])[1])
    assert config.startswith("name: toyPlugin\n")
    assert not (folder / "ours" / "out.onnx").exists()


def test_autotune_writes_beside_the_model(folder):
    write(folder, relu=RELU)
    for name in ("ours", "original"):
        os.makedirs(folder / name / "models")
        onnx.save(parser.parse_model(TOY), folder / name / "models" / "toy.onnx")
    same(folder, ["autotune", "models/toy.onnx", *AUTOTUNE[2:]], without_loading)
    same_files(folder, "models/config.yaml")


def test_autotune_loads_a_configuration(folder):
    write(folder, relu=RELU)
    assert run_ours(["plugin", "match", "toy.onnx", "--plugin-dir", "plugins"], folder).code == 0
    same(folder, [*AUTOTUNE, "--load-config-yaml", "../config.yaml"])
    ours, original = both_in(folder, ["plugin", *AUTOTUNE, "--load-config-yaml", "nowhere.yaml"])
    assert ours.code == original.code == 1
    assert ours.stderr.startswith("[!] cannot open '") and "Traceback" in original.stderr


def test_autotune_chooses_plugins(folder):
    write(folder, toyPlugin=DIAMOND, relu=RELU)
    same(folder, [*AUTOTUNE, "--exclude", "relu", "--save-config-yaml"], without_loading)
    assert same_files(folder).startswith("name: toyPlugin\n")
    ours, original = both_in(folder, ["plugin", *AUTOTUNE, "--exclude", "relu", "toyPlugin"])
    assert ours.code == original.code == 0
    expect("autotune-takes-all-plugins", ours.stdout, original.stdout)


def test_autotune_without_its_options(folder):
    write(folder, relu=RELU)
    for missing in ("--plugin-dir", "-o"):
        at = AUTOTUNE.index(missing)
        ours, original = both_in(folder, ["plugin", *AUTOTUNE[:at], *AUTOTUNE[at + 2:]])
        assert ours.code == original.code == 2 and ours.stderr.splitlines()[-1] == original.stderr.splitlines()[-1]


def test_autotune_asks_patterns_that_replace_by_themselves(folder):
    """One candidate after the other, each by the pattern's own function."""
    n = 50000
    chain = " ".join(f"e{i + 1} = Sin (e{i})" for i in range(30))
    onnx.save(parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[{n}] x) => (float[{n}] y) {{ e0 = Relu (x) {chain} y = Neg (e30) }}"""), folder / "slow.onnx")
    write(folder, erf="""
        def get_matching_subgraphs(graph):
            return [{"inputs": ["e0"], "outputs": ["e30"], "attributes": {}}, {"inputs": ["x"], "outputs": ["e0"], "attributes": {}}]
        def get_plugin_metadata():
            return {"name": "erf", "op": "Identity"}
        def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
            inputs, outputs = input_tensors, output_tensors
            if outputs[0].name == "e0":
                return False
            outputs[0].inputs.clear()
            graph.layer(op=op, name="own", inputs=inputs, outputs=outputs)
            graph.cleanup().toposort()
            return True""")
    done = run_ours(["plugin", "autotune", "slow.onnx", "--plugin-dir", "plugins", "--onnxrt", "-o", "out.onnx", "--report", "r.txt"], folder)
    assert done.code == 0, done.stderr
    assert "[I] 1 of 2: erf 0 (e0 -> e30) | " in done.stdout and " less), kept\n" in done.stdout
    assert [(node.op_type, node.name) for node in onnx.load(folder / "out.onnx").graph.node][1] == ("Identity", "own")
    assert "erf 0 (e0 -> e30)" in (folder / "r.txt").read_text()


def test_the_guide(tmp_path):
    """The commands of docs/plugins.md, with its pattern, and the configuration that it shows."""
    with open(os.path.join(ROOT, "docs", "plugins.md")) as file:
        guide = file.read()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", guide, re.M | re.S)
    commands, tuning = ([line.split()[1:] for line in text.splitlines()] for language, text in blocks if language == "sh")
    blocks = dict(blocks)
    write(tmp_path, biasRelu=blocks["python"])
    onnx.save(parser.parse_model("""<ir_version: 9, opset_import: ["" : 17]>
        g (float[2] x) => (float[2] y) <float[2] b = {0.25, 0.5}> { s = Add (x, b) y = Relu (s) }"""), tmp_path / "model.onnx")
    assert len(commands) == 3
    for command in commands:
        done = run_ours(command, tmp_path)
        assert (done.code, done.stderr) == (0, "")
    assert (tmp_path / "config.yaml").read_text() == blocks["yaml"]
    assert [node.op_type for node in onnx.load(tmp_path / "replaced.onnx").graph.node] == ["BiasRelu_TRT"]
    assert len(tuning) == 3
    # TensorRT, or the library of the plugin, is what is missing of the first.
    assert "--plugin-libraries" in tuning[0] and run_ours(tuning[0], tmp_path).code == 1
    (tmp_path / "config.yaml").unlink()
    done = run_ours(tuning[1], tmp_path)
    assert done.code == 1 and "[!] No replacement makes model.onnx faster: all 1 candidate(s) failed to run on onnxrt" in done.stderr
    assert (tmp_path / "config.yaml").read_text() == blocks["yaml"]
    (tmp_path / "config.yaml").unlink()
    assert run_ours(tuning[2], tmp_path).code == 0
    assert (tmp_path / "config.yaml").read_text() == blocks["yaml"]
    assert not (tmp_path / "fastest.onnx").exists()
