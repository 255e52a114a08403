"""Results in notebooks, as tables and as pictures."""

import html.parser
import subprocess
import sys

import numpy as np
import pytest
from api_models import REPOSITORY, chain

import polygraphy_native as pn

QUANTIZED = REPOSITORY / "examples" / "quantized"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    def of(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.fixture(scope="module")
def located():
    return pn.locate(QUANTIZED / "int8.onnx", "onnxrt", float_model=QUANTIZED / "float.onnx")


def test_headline_worst_rows_and_the_errors_along_the_model(located):
    page = Page(located._repr_html_())
    assert located.answer.headline in page.texts and not located
    assert len(page.of("tr")) == 1 + 10 and page.texts.count("guilty") == len(located.guilty)
    assert not {"script", "style", "link", "img"} & {tag for tag, _ in page.tags}
    bars = page.of("rect")
    assert len(bars) == len(located.nodes)
    red = [at for at, bar in enumerate(bars) if "currentColor" not in bar["fill"]]
    along = sorted(located.nodes, key=lambda node: node.position)
    assert [along[at].node for at in red] == [node.node for node in along if node in located.guilty] != []
    assert {"block2.conv2", "block2.conv2.dequantize"} & {along[at].node for at in red}
    assert located.text in "".join(page.texts)


def test_places_are_those_in_the_model(located):
    nodes = pn.load(QUANTIZED / "int8.onnx").nodes
    assert all(nodes[each.position].name == each.node for each in located.nodes)


def test_every_record_shows_itself(located):
    assert located.answer.headline in Page(located.answer._repr_html_()).texts
    assert "<table>" in pn.compare(QUANTIZED / "float.onnx", backends=["onnxrt", "onnxrt"])._repr_html_()
    assert "<code>&lt;" in pn.diff(QUANTIZED / "float.onnx", QUANTIZED / "int8.onnx")._repr_html_()
    consistency = pn.check_consistency(QUANTIZED / "float.onnx", "onnxrt", only=["repeat"])
    assert "repeat" in Page(consistency._repr_html_()).texts


def test_names_are_escaped():
    model = chain(layers=2)
    model.graph.node[0].name = "<b>layer&0"
    shown = pn.locate(pn.Model.from_proto(model), "onnxrt", "onnxrt", inputs={"x": np.ones((1, 32), np.float32)})
    page = shown._repr_html_()
    assert "<b>layer" not in page and "&lt;b&gt;layer&amp;0" in page


def test_lint_is_a_list_that_shows_itself(tmp_path):
    (tmp_path / "broken.onnx").write_bytes(b"not a model")
    findings = pn.lint(tmp_path / "broken.onnx")
    assert isinstance(findings, list) and findings[0].level == "exception"
    assert "exception" in Page(findings._repr_html_()).texts
    pandas = pytest.importorskip("pandas")
    assert isinstance(findings.to_pandas(), pandas.DataFrame)


def test_tables(located):
    pytest.importorskip("pandas")
    table = located.to_pandas()
    assert len(table) == len(located.nodes)
    assert list(table["node"]) == [node.node for node in located.nodes]
    worst = located.nodes[0]
    assert table["accumulated.relative"][0] == worst.accumulated.relative
    with pytest.warns(DeprecationWarning):  # of pandas, about the protocol
        assert located.__dataframe__().num_rows() == len(table)

    timed = pn.benchmark(QUANTIZED / "float.onnx", ["onnxrt"], runs=2, nodes=3).to_pandas()
    assert set(timed["results.nodes.op_type"]) >= {"Conv"} and (timed["results.latency.p50"] > 0).all()

    zoo = pn.zoo([QUANTIZED / "float.onnx"], ["onnxrt", "onnxrt"], locate=False).to_pandas()
    assert list(zoo["engines.outcome"]) == ["passed"] * 2 and zoo["model"].nunique() == 1

    layers = pn.sensitivity(QUANTIZED / "float.onnx", format="int4", limit=1).to_pandas()
    assert layers["effect"].is_monotonic_decreasing and "worst_channel.outlier" in layers


def test_curves(located):
    pytest.importorskip("matplotlib").use("agg")
    axes = located.plot()
    assert len(axes.patches) == len(located.nodes) and axes.get_ylabel() == "ratio"
    with pytest.raises(pn.Error, match="no figures"):
        located.answer.plot()


def test_missing_packages_are_a_sentence():
    script = f"""
import sys
sys.modules["pandas"] = sys.modules["matplotlib"] = None
import polygraphy_native as pn
found = pn.locate({str(QUANTIZED / "float.onnx")!r}, "onnxrt", "onnxrt")
for call in (found.to_pandas, found.plot):
    try:
        call()
    except pn.Error as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["pandas is not installed.", "pip install pandas",
                                        "matplotlib is not installed.", "pip install matplotlib"]
