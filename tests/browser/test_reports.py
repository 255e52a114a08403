"""--report: one file that a browser shows from disk."""

import json
import re
import shutil

import onnx
import pytest
from onnx import TensorProto, helper
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import LONG, chain, run
from page import Page


def test_every_report_loads_without_an_error_or_a_request(browser, folder, magika, located, compared, long_diff):
    chain(folder / "small.onnx", 6)
    run("run", magika, "--onnxrt", "--benchmark", "--benchmark-runs", "12", "--report", folder / "benchmark.html")
    accuracy = folder / "accuracy.json"
    run("run", magika, "--onnxrt", "--openvino", "--save-accuracy-results", accuracy, codes=(0, 1))
    run("check", "accuracy", accuracy, "--report", folder / "accuracy.html", codes=(0, 1))
    run("debug", "reduce", folder / "small.onnx", "--mode", "auto", "-o", folder / "reduced.onnx", "--work-dir", folder / "work",
        "--report", folder / "reduce.html", "--check", "sh", "-c", "! grep -q node_3 {model}")
    run("check", "consistency", magika, "--onnxrt", "--only-check", "repeat", "batch", "--report", folder / "consistency.html",
        codes=(0, 1))
    made = ("benchmark", "accuracy", "reduce", "consistency")
    for path in [located, compared, long_diff, *(folder / f"{name}.html" for name in made)]:
        page = Page(browser, path)
        assert page.errors() == [], path
        assert page.requests() == [], path
        assert page.all(".verdict h2")[0].text, path
        assert path == long_diff or page.violations() == [], path


def test_a_located_node_comes_first(browser, located):
    page = Page(browser, located)
    verdict, graph = page.all("section")[:2]
    assert "verdict" in verdict.get_attribute("class")
    assert graph.find_elements(By.CSS_SELECTOR, ".node.chosen")
    # Nodes that are right in place run neither alone nor among neighbours: which ones these are depends
    # on the processor's bfloat16.
    nodes = json.loads(located.with_suffix(".json").read_text())["nodes"]
    kinds = ("accumulated_error", "isolated_error", "neighbours_error")
    measured = sum(any(node[kind] for node in nodes) for kind in kinds)
    assert len(page.all(".plot svg polyline")) == measured >= 1
    assert len(page.all(".plot svg path.band")) == 1
    nodes = page.table("All nodes")
    assert nodes.column("Rank")[0] == "1"
    assert len(page.all(".plot svg rect")) > 0  # a histogram


def test_tables_sort_by_numbers_both_ways_and_back(browser, located):
    table = Page(browser, located).table("All nodes")
    given = table.column("Rank")

    def numbers():
        return [float(text) for text in table.column("Place")]

    assert table.sort("Place") == "descending"
    assert numbers() == sorted(numbers(), reverse=True)
    assert table.sort("Place") == "ascending"
    assert numbers() == sorted(numbers())
    assert table.sort("Place") is None
    assert table.column("Rank") == given


def test_tables_show_what_is_searched_for(browser, located):
    table = Page(browser, located).table("All nodes")
    table.filter("MatMul")
    assert table.rows() and all("MatMul" in "".join(row.values()) for row in table.rows())
    assert " of " in table.status.text
    table.filter("MatMul -MatMul")
    assert table.status.text.startswith("0 of")
    table.filter("")
    assert table.status.text.endswith("rows")


def test_keys_choose_rows(browser, located):
    table = Page(browser, located).table("All nodes")
    table.search.send_keys(Keys.ARROW_DOWN)
    table.box.send_keys(Keys.ARROW_DOWN)
    assert [row.get_attribute("aria-rowindex") for row in table.box.find_elements(By.CSS_SELECTOR, "tr.chosen")] == ["3"]
    table.box.send_keys(Keys.END)
    last = table.box.find_element(By.CSS_SELECTOR, "tr.chosen")
    assert last.get_attribute("aria-rowindex") == table.box.find_element(By.TAG_NAME, "table").get_attribute("aria-rowcount")


def test_keys_walk_along_a_curve(browser, located):
    page = Page(browser, located)
    plot = page.all(".plot svg")[0]
    plot.send_keys(Keys.END)
    last = page.all(".said")[0].text
    plot.send_keys(Keys.ARROW_LEFT)
    before = page.all(".said")[0].text
    assert int(last.split(":")[0]) == int(before.split(":")[0]) + 1


def test_a_long_table_has_only_rows_in_sight(browser, long_diff):
    table = Page(browser, long_diff).table("Nodes")
    assert table.status.text == f"{LONG} rows"
    assert len(table.rows()) < 100
    table.scroll(10**9)
    assert table.rows()[-1]["Name"] == f"node_{LONG - 1}"
    table.sort("Place after")
    assert table.rows()[0]["Name"] == f"node_{LONG - 1}"
    table.filter("node_1234 -node_12340")
    assert {row["Name"] for row in table.rows()} == {"node_1234"} | {f"node_1234{i}" for i in range(1, 10)}


def test_texts_of_a_model_are_no_markup(browser, folder):
    name = "</script><b id=bad>&amp;{}"
    a, b = chain(folder / "odd_a.onnx", 3, name=name), chain(folder / "odd_b.onnx", 3, 0.2, name)
    run("surgeon", "diff", a, b, "--report", folder / "odd.html", codes=(1,))
    page = Page(browser, folder / "odd.html")
    assert page.all("#bad") == []
    assert page.table("Nodes").column("Name")[0] == name.format(0)
    assert page.errors() == []


def test_dark_and_on_paper(browser, compared):
    page = Page(browser, compared)
    body = page.all("body")[0]
    light = page.style(body, "backgroundColor")
    page.media(prefers_color_scheme="dark")
    assert page.style(body, "backgroundColor") != light
    page.media("print")
    assert page.style(page.all("table.plain")[0], "display") == "table"
    assert page.style(page.all(".drawn:has(.rows)")[0], "display") == "none"
    page.media()


@pytest.mark.parametrize("width", [520, 400])
@pytest.mark.parametrize("made", ["located", "compared", "long_diff"])
def test_nothing_is_wider_than_a_small_screen(browser, request, made, width):
    """Names of nodes are long words without a place to break."""
    page = Page(browser, request.getfixturevalue(made))
    with page.width(width):
        assert page.script("return document.documentElement.scrollWidth") <= width


def test_a_page_names_its_subject(browser, compared, located, long_diff):
    page = Page(browser, compared)
    assert browser.title == "Run of magika.onnx" == page.all("h1")[0].text
    about = page.all("header dl.about")[0].text.replace("\n", " | ")
    assert re.search(r"Model\S*magika.onnx .* Date2\d\d\d-\d\d-\d\d \d\d:\d\d UTC", about)
    assert re.search(r"Enginesonnxrt \d+\.\d+\.\d+, openvino \d+\S* precision=bf16", about)
    assert "Tolerancessimple: atol 1e-05, rtol 1e-05" in about
    Page(browser, located)
    assert browser.title in ("Guilty nodes of magika.onnx", "Search for guilty nodes of magika.onnx")
    Page(browser, long_diff)
    assert browser.title == "Differences of a.onnx and b.onnx"


def test_the_date_can_be_set(browser, folder, monkeypatch):
    """For builds whose files are the same every time."""
    model = chain(folder / "dated.onnx", 3)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    pages = []
    for _ in range(2):
        run("surgeon", "diff", model, model, "--report", folder / "dated.html")
        pages.append((folder / "dated.html").read_text())
    assert pages[0] == pages[1] and "<dd>1970-01-02 00:00 UTC</dd>" in pages[0]


def test_equal_errors_are_one_line(browser, compared):
    lines = [item.text for item in Page(browser, compared).section("Errors and warnings").find_elements(By.TAG_NAME, "li")]
    many = [line for line in lines if "Error: FAILED | Output: … | Difference exceeds" in line]
    count, more = re.fullmatch(r"(\d+) outputs: .* and (\d+) more", *many, re.S).groups()
    assert int(count) > 10 and int(more) == int(count) - 3
    assert len(lines) < 10 and not any(re.search(r"-\d\d:\d\d:\d\d", line) for line in lines)


def test_the_verdict_is_said_once(browser, located):
    page = Page(browser, located)
    headline = page.all(".verdict h2")[0].text
    assert page.text().count(headline) == 1


def test_the_worst_differences_are_drawn(browser, compared):
    page = Page(browser, compared)
    sizes = page.script("""
        return Promise.all([...document.querySelectorAll('.picture')].map(async (host) => {
          const image = new Image();
          image.src = host.shadowRoot.querySelector('image').getAttribute('href');
          await image.decode();
          const box = host.shadowRoot.querySelector('svg').getBoundingClientRect();
          return [image.width, image.height, box.width, host.clientWidth];
        }))""")
    assert len(sizes) == 3
    assert all(width * height > 1000 and shown <= host for width, height, shown, host in sizes)
    assert page.errors() == []


def test_a_failing_run_says_what_to_type_next(browser, compared):
    page = Page(browser, compared)
    graph, next_commands = page.all("section")[1:3]
    assert graph.find_elements(By.CSS_SELECTOR, ".node.chosen.bad")
    assert next_commands.find_elements(By.TAG_NAME, "code")
    commands = [code.text for code in page.all(".commands code")]
    assert any(command.startswith("polygraphy debug locate ") for command in commands)
    assert any("--check-run onnxrt openvino --openvino-precision bf16" in command for command in commands)


def test_checks_of_an_engine_are_a_table(browser, folder, magika):
    path = folder / "checks.html"
    run("check", "consistency", magika, "--onnxrt", "--only-check", "repeat", "reload", "--report", path)
    page = Page(browser, path)
    assert page.all(".verdict.good h2")[0].text.startswith("Consistent: ")
    assert page.table("Checks").column("Check")[0] == "repeat"
    assert "reload" in page.table("Checks").column("Check")


def test_a_band_has_the_gaps_of_its_numbers(browser, folder, located):
    """Places without noise have none of it."""
    text = located.read_text()
    start = text.index('id="report">') + len('id="report">')
    end = text.index("</script>", start)
    sections = json.loads(text[start:end])
    curve = next(section for section in sections if section and section["kind"] == "curve" and section["band"])
    last = len(curve["band"]) - 1
    curve["band"] = [1e-3 if 1 < place < last else "NaN" for place in range(last + 1)]
    curve["band"][last // 2] = "NaN"
    gaps = folder / "gaps.html"
    gaps.write_text(text[:start] + json.dumps(sections).replace("<", "\\u003c") + text[end:])
    page = Page(browser, gaps)
    assert page.errors() == []
    shape = page.all(".plot svg path.band")[0].get_attribute("d")
    line = page.all(".plot svg line.grid")[0]
    assert shape.count("M") == 2
    assert float(shape[1:].split(",")[0]) > float(line.get_attribute("x1"))


def test_a_report_says_why_a_runner_is_missing(browser, folder, magika):
    path = folder / "missing.html"
    run("run", magika, "--onnxrt", "--model-runner", shutil.which("false"), "--silent", "--report", path, codes=(1,))
    page = Page(browser, path)
    assert page.all(".verdict.bad h2")[0].text.startswith("FAILED")
    assert "exited with 1" in page.section("Errors and warnings").text


def test_a_report_names_outputs_that_do_not_match(browser, folder, magika):
    program = folder / "other.py"
    program.write_text("import json; print(json.dumps({'target_label': [[0.0] * 214], 'another': [1.0]}))\n")
    path = folder / "other.html"
    run("run", magika, "--onnxrt", "--model-runner", program, "--report", path, codes=(1,))
    assert "not compared: another" in Page(browser, path).all(".verdict")[0].text


def test_the_report_of_a_run_that_breaks_off(browser, folder):
    broken = folder / "broken.onnx"
    broken.write_bytes(b"no model")
    run("run", broken, "--onnxrt", "--report", folder / "broken.html", codes=(1,))
    page = Page(browser, folder / "broken.html")
    assert page.all(".verdict.bad h2")[0].text.startswith("FAILED")
    assert page.errors() == []


@pytest.fixture(scope="session")
def zoo(folder):
    """Models that agree and differ on OpenVINO, and a broken file."""
    (folder / "zoo #1").mkdir()
    chain(folder / "zoo #1" / "small.onnx", 3)
    (folder / "zoo #1" / "broken.onnx").write_bytes(b"no model")
    # OpenVINO computes int64 in 32 bits.
    port = {name: helper.make_tensor_value_info(name, TensorProto.INT64, [3]) for name in "xy"}
    large = helper.make_tensor("large", TensorProto.INT64, [1], [1 << 40])
    wide = helper.make_graph([helper.make_node("Add", ["x", "large"], ["y"])], "wide", [port["x"]], [port["y"]], [large])
    (folder / "zoo #1" / "wide").mkdir()
    onnx.save(helper.make_model(wide, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              folder / "zoo #1" / "wide" / "model.onnx")
    run("zoo", folder / "zoo #1", "--onnxrt", "--openvino", "--report", folder / "zoo #1.html", codes=(1,))
    return folder / "zoo #1.html"


def choose(page, label, value):
    page.script(f"const list = document.querySelector('select[aria-label={label}]');"
                f"list.value = '{value}'; list.dispatchEvent(new Event('change'));")


def test_a_zoo_has_lists_of_engines_and_outcomes(browser, zoo):
    page = Page(browser, zoo)
    table = page.table("Models")
    choose(page, "Engine", "openvino")
    assert set(table.column("Engine")) == {"openvino"} and len(table.rows()) == 2
    choose(page, "Outcome", "differs")
    (row,) = table.rows()
    assert row["Model"].endswith("wide/model.onnx") and row["Stage"] == "compare"
    choose(page, "Engine", "")
    choose(page, "Outcome", "not loaded")
    (row,) = table.rows()
    assert row["Model"].endswith("broken.onnx") and row["Stage"] == "setup"


def test_a_zoo_links_to_a_page_of_each_model_and_back(browser, zoo):
    page = Page(browser, zoo)
    choose(page, "Outcome", "differs")
    page.script("document.querySelector('.rows tbody a').click()")
    page.wait_for("nav a")
    assert page.errors() == [] and page.requests() == []
    assert "wide" in page.all("h1")[0].text
    assert "debug locate" in page.section("Commands").text
    assert page.table("Guilty nodes on openvino").column("Operator") == ["Add"]
    assert [node.text for node in page.all(".node.chosen.bad .op")] == ["Add"], "the picture opens at it"
    assert page.table("Outputs of openvino").column("Verdict") == ["differs"]
    page.script("document.querySelector('nav a').click()")
    page.wait_for(".rows")
    assert page.all("h1")[0].text.startswith("Zoo")
    for file in sorted(zoo.with_name("zoo #1_models").iterdir()):
        page = Page(browser, file)
        assert page.errors() == [] and page.requests() == [], file


def test_a_zoo_of_thousands_keeps_few_rows_in_the_document(browser, zoo, folder):
    large = folder / "large.html"
    begin, end = '<script type="application/json" id="report">', "</script>"
    text = zoo.read_text()
    head, rest = text.split(begin)
    data, tail = rest.split(end, 1)
    sections = json.loads(data)
    for section in sections:
        if section and section.get("links"):
            section["rows"], section["links"] = section["rows"] * 3000, section["links"] * 3000
    large.write_text(head + begin + json.dumps(sections) + end + tail)
    page = Page(browser, large)
    choose(page, "Outcome", "differs")
    assert page.table("Models").status.text == "3000 of 15000 rows"
    assert len(page.all("tr")) < 200 + 30
