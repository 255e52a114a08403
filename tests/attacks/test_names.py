"""Names in models that are markup, code or controls, in everything that shows or writes names."""
import json
import os
import pty
import re
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from conftest import POLYGRAPHY
from models import attribute, entry, floats, graph, model, node, value

NAMES = {
    "end_of_script": b"</script><script>alert(1)</script>",
    "end_of_attribute": b"\"><img src=x onerror=alert(1)>",
    "handler": b"' onload='alert(1)' x='",
    "comment": b"<!--<script>",
    "cdata": b"]]><x/><![CDATA[",
    "entities": b"&lt;&#60;b&#62;&bogus;&quot;",
    "zero_byte_and_controls": b"a\0b\x01\x07\x08\x0b\x7f",
    "escape_sequences": b"\x1b[2J\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x1b[38;5;1mred",
    "controls_of_8_bits": "\u009b31m\u009d0;owned\u009c".encode(),
    "right_to_left": "\u202eevil\u2066\u200f\u061c".encode(),
    "lines": b"a\n::error::owned\n[E] owned\r\n::set-output name=x::owned\rb",
    "line_separators": "a\u2028b\u2029c\u0085d".encode(),
    "not_utf8": b"\xff\xfe\xc3(\xed\xa0\x80\xf4\x90\x80\x80",
    "bare_controls": b"\x9b31m\x9d0;owned\x9c",
    "markdown": b"| a | `b` ``c`` | [x](javascript:alert(1)) ![y](http://127.0.0.1/z) **d** <b>e</b>\\",
    "percent": b"%0A::error::owned%0D%25%s%n",
    "template": b"${alert(1)} {{7*7}} \\u003cb> \\",
    "quotes": b"\"},{\"x\":\"'`\\",
    "formula": b"=cmd|' /C calc'!A0",
    "link": b"javascript:alert(1)//http://127.0.0.1/",
    "folders": b"../../../outside/of/here",
    "space": b" ",
}


def named(name):
    """A model that uses the name for everything. Lint finds faults in its parts."""
    def of(part):
        return name + part.encode()

    nodes = [
        node("Relu", [of("x")], [of("a")], of("n1"), metadata=[entry(of("k"), of("v"))], doc=of("doc")),
        node("Add", [of("a"), of("w")], [of("y")], of("n2")),
        node("Relu", [of("nowhere")], [of("dead")], of("n3")),
        node("NoSuch", [of("x")], [of("dead2")], of("n4"), domain=of("domain")),
        node("If", [of("x")], [of("dead3")], of("n5"), [attribute(of("then"), g=graph(
            [node("Exp", [of("x")], [of("z")], of("n6"))], (), [value(of("z"))], name=of("g")))]),
    ]
    return model(graph(nodes, [value(of("x"), (of("N"), 4))], [value(of("y"), (of("N"), 4))],
                       [floats(of("w"), [1.0] * 4), floats(of("unused"), [2.0])], of("graph")),
                 producer=of("producer"), metadata=[entry(of("key"), of("value"))])


# Option and file of each form of a report.
FORMS = {"--report": "page.html", "--junit": "tests.xml", "--code-quality": "quality.json", "--summary": "summary.txt",
         "--node-data": "nodes", "--openmetrics": "metrics.txt", "--trace": "trace.json", "--json": "report.json"}
TURNED = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# A browser shows the others of ISO 6429 as nothing; a terminal obeys them.
BROKEN_PAGE = re.compile(f"[\0-\x08\x0b\x0c\x0e-\x1f{TURNED}]")
BROKEN = re.compile(f"[\0-\x08\x0b-\x1f\x7f-\x9f{TURNED}]")


class Skeleton(HTMLParser):
    """Elements and the names of their attributes: all that a browser would act on."""

    def __init__(self, page):
        super().__init__()
        self.parts = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.parts.append((tag, *(name for name, _ in attrs)))
        for name, text in attrs:
            if name in ("href", "src", "action"):
                assert not (text or "").lower().lstrip().startswith(("javascript:", "http://127")), text

    def handle_comment(self, data):
        self.parts.append(("comment",))

    def handle_decl(self, decl):
        self.parts.append(("declaration",))


def strict(path):
    with open(path, "rb") as file:
        return file.read().decode()


def check_page(path, plain):
    page = strict(path)
    assert not BROKEN_PAGE.search(page), BROKEN_PAGE.search(page)
    ours, shown = (Skeleton(text).parts for text in (strict(plain), page))
    assert set(shown) <= set(ours), set(shown) - set(ours)
    for tag in ("script", "style", "img", "comment"):
        assert [part[0] for part in shown].count(tag) == [part[0] for part in ours].count(tag), tag


def check_json(path, _=None):
    json.loads(strict(path))


def check_xml(path, _=None):
    text = strict(path)
    assert not BROKEN_PAGE.search(text)
    ElementTree.fromstring(text)


def check_summary(path, plain):
    text = strict(path)
    assert not BROKEN.search(text)
    # Markup of the name would be an element; a bar, another column.
    for line in text.split("\n"):
        assert not re.search(r"<(?:script|img|b|x|!--)", line, re.I), line
        assert line == "" or line.startswith(("### ", "- ", "| ")) or not re.match(r"\s|[#>*+|=-]|::", line), line


def check_metrics(path, _=None):
    line = re.compile(r'# .*|[a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? \S+')
    for text in strict(path).split("\n")[:-1]:
        assert line.fullmatch(text), text


def check_nodes(path, plain):
    assert len(os.listdir(path)) == len(os.listdir(plain))
    for name in os.listdir(path):
        check_json(os.path.join(path, name))


CHECKS = {"page.html": check_page, "tests.xml": check_xml, "quality.json": check_json, "summary.txt": check_summary,
          "nodes": check_nodes, "metrics.txt": check_metrics, "trace.json": check_json, "report.json": check_json,
          "lint.sarif": check_json, "graph.html": check_page, "sync.json": check_json}


def reports(polygraphy, folder, *command, extra=(), forms=FORMS):
    options = [word for option, file in forms.items() for word in (option, os.path.join(folder, file))]
    os.makedirs(os.path.join(polygraphy.folder, folder), exist_ok=True)
    return polygraphy(*command, *options, *extra)


def check_all(polygraphy, hostile, plain):
    made = os.listdir(os.path.join(polygraphy.folder, plain))
    assert made and sorted(os.listdir(os.path.join(polygraphy.folder, hostile))) == sorted(made)
    for file in made:
        CHECKS[file](os.path.join(polygraphy.folder, hostile, file), os.path.join(polygraphy.folder, plain, file))


def on_a_terminal(polygraphy, *args):
    control, terminal = pty.openpty()
    process = subprocess.Popen([POLYGRAPHY, *args], cwd=polygraphy.folder, stdin=subprocess.DEVNULL, stdout=terminal,
                               stderr=terminal, env={**os.environ, "TERM": "xterm"})
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(control, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(control)
    assert process.wait() in (0, 1, 2, 3), shown
    return shown.decode(errors="replace")


OURS = re.compile(r"\x1b\[(?:0|38;5;\d+)m")


@pytest.fixture
def files(polygraphy, request):
    polygraphy.file("model.onnx", named(NAMES[request.param]))
    polygraphy.file("plain.onnx", named(b"plain"))
    return polygraphy


every_name = pytest.mark.parametrize("files", NAMES, indirect=True)


@every_name
def test_lint(files):
    for file, folder in (("plain.onnx", "plain"), ("model.onnx", "hostile")):
        reports(files, folder, "check", "lint", file, extra=["--sarif", folder + "/lint.sarif", "--advice",
                                                             "--annotated-model", "annotated_" + file])
        files.shown("Model", "inspect", "model", "annotated_" + file, "--show", "layers", "attrs")
    check_all(files, "hostile", "plain")


@every_name
def test_diff(files):
    files.file("base.onnx", named(b"base"))
    for file, folder in (("plain.onnx", "plain"), ("model.onnx", "hostile")):
        ran = reports(files, folder, "surgeon", "diff", "base.onnx", file, extra=["--sync-map", folder + "/sync.json"])
        assert ran.code in (0, 1), ran
    check_all(files, "hostile", "plain")


@every_name
def test_viewer(files):
    for file, folder in (("plain.onnx", "plain"), ("model.onnx", "hostile")):
        os.makedirs(os.path.join(files.folder, folder))
        files.shown("", "inspect", "model", file, "--visual", "--save-visual", folder + "/graph.html")
    check_all(files, "hostile", "plain")


@every_name
def test_terminal(files):
    for command in (["inspect", "model", "model.onnx", "--show", "layers", "attrs", "weights"],
                    ["check", "lint", "model.onnx", "--advice"], ["surgeon", "diff", "plain.onnx", "model.onnx"],
                    ["surgeon", "extract", "model.onnx", "--outputs", "nothing:auto", "-o", "part.onnx"]):
        shown = OURS.sub("", on_a_terminal(files, *command)).replace("\r\n", "\n")
        assert not BROKEN.search(shown), (command, BROKEN.search(shown), shown)


@every_name
def test_annotations_of_github(files):
    """A name cannot write commands for the runner."""
    shown = files("check", "lint", "model.onnx", "--advice", GITHUB_ACTIONS="true").err
    commands = [line for line in shown.splitlines() if line.lstrip().startswith("::")]
    assert commands
    for line in commands:
        assert re.match("::(?:error|warning) file=model.onnx,title=Lint of model.onnx::", line), line


@every_name
def test_copies(files):
    """Names survive surgery, byte for byte."""
    ran = files("surgeon", "sanitize", "model.onnx", "--toposort", "-o", "copy.onnx")
    if ran.code == 0:
        with open(os.path.join(files.folder, "copy.onnx"), "rb") as file:
            assert b"n1" in file.read()
