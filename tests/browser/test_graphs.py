"""The graphs of a page: colours, choice, scrolling, and the tables that belong to them."""

import onnx
import pytest
from onnx import TensorProto, helper
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import LONG, run
from page import Page

LAYERS = 30


def layers(path, alpha=0.1, extra=False, last="relu_29"):
    """A column of modules, each with one branch."""
    nodes, name = [], "t0"
    for i in range(LAYERS):
        module = f"/encoder/layer.{i // 10}"
        nodes.append(helper.make_node("LeakyRelu", [name], [f"r{i}"], name=f"{module}/relu_{i}" if i < LAYERS - 1 else last,
                                      alpha=alpha if i == 17 else 0.1))
        nodes.append(helper.make_node("Abs", [name], [f"a{i}"], name=f"{module}/abs_{i}"))
        nodes.append(helper.make_node("Add", [f"r{i}", f"a{i}"], [f"t{i + 1}"], name=f"{module}/add_{i}"))
        name = f"t{i + 1}"
        if extra and i == 4:
            nodes += [helper.make_node("Neg", [name], ["n"], name="/extra/neg"), helper.make_node("Neg", ["n"], ["m"], name="/extra/two")]
            name = "m"
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4])  # noqa: E731
    graph = helper.make_graph(nodes, "layers", [value("t0")], [value(name)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.fixture(scope="session")
def differing(folder):
    """Two models: two nodes added before two others, one changed, one with another name."""
    path = folder / "graphs.html"
    run("surgeon", "diff", layers(folder / "before.onnx"), layers(folder / "after.onnx", 0.2, True, "renamed"),
        "--report", path, codes=(1,))
    return path


class Graphs(Page):
    def frame(self):
        self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def chosen(self):
        """The names of the chosen nodes, by drawing."""
        self.frame()
        return self.script("""return [...document.querySelectorAll('.drawing')].map((drawing) =>
            drawing.querySelector('.node.chosen .name')?.textContent)""")

    def drawing(self, index=0):
        return self.all(".drawing")[index]

    def scroll(self, drawing, top):
        self.script(f"document.querySelectorAll('.drawing')[{drawing}].scrollTop = {top}")
        self.frame()
        self.frame()

    def in_sight(self, drawing):
        return self.script("""const box = document.querySelectorAll('.drawing')[arguments[0]].getBoundingClientRect();
            return [...document.querySelectorAll('.drawing')[arguments[0]].querySelectorAll('.node')].filter((node) => {
              const {top, bottom} = node.getBoundingClientRect();
              return top >= box.top && bottom <= box.bottom;
            }).map((node) => node.querySelector('.name').textContent)""".replace("arguments[0]", str(drawing)))

    def colour(self, name):
        self.script(f"""const list = document.querySelector('select[aria-label=Colours]');
            list.value = [...list.options].findIndex((one) => one.textContent === 'Colours: {name}');
            list.dispatchEvent(new Event('change'))""")
        self.frame()


def test_the_page_opens_at_the_worst_node_in_both_graphs(browser, differing):
    page = Graphs(browser, differing)
    assert page.errors() == [] and page.requests() == []
    legend = page.all(".graphs .legend")[0].text
    assert "changed (4)" in legend and "added (2)" in legend
    assert page.chosen() == ["/encoder/layer.0/relu_5"] * 2
    assert len(page.all(".node.chosen.warning")) == 2
    details = page.all("aside")[0].text
    assert "relu_5" in details and "changed" in details and "input 0" in details


def test_a_row_shows_its_node_and_a_node_its_row(browser, differing):
    page = Graphs(browser, differing)
    table = page.table("Nodes")
    page.script("[...document.querySelectorAll('.rows tbody tr')].find((row) => row.textContent.includes('/extra/two')).click()")
    assert page.chosen() == [None, "/extra/two"]
    table.filter("relu_17")
    table.filter("")
    page.drawing(1).send_keys(Keys.ARROW_UP)
    assert page.chosen()[1] == "/extra/neg"
    assert "/extra/neg" in table.box.find_element(By.CSS_SELECTOR, "tr.chosen").text


def test_graphs_scroll_together(browser, differing):
    page = Graphs(browser, differing)
    for top in (300, 1500, 4000):
        page.scroll(0, top)
        assert set(page.in_sight(0)) & set(page.in_sight(1)), top
    page.scroll(1, 2500)
    assert set(page.in_sight(0)) & set(page.in_sight(1))


def test_nodes_with_other_names_are_chosen_together(browser, differing):
    page = Graphs(browser, differing)
    search = page.all(".graphs input[type=search]")[0]
    search.send_keys("renamed", Keys.ENTER)
    assert page.chosen() == ["relu_29", "renamed"]


def test_nodes_are_aligned_without_names(browser, folder):
    """No node and no tensor of the second model has a name of the first one."""
    before = layers(folder / "named.onnx")
    model = onnx.load(layers(folder / "other.onnx", 0.2))
    for part in (*model.graph.node, *model.graph.input, *model.graph.output):
        part.name = f"other {part.name}"
    for node in model.graph.node:
        node.input[:] = [f"other {name}" for name in node.input]
        node.output[:] = [f"other {name}" for name in node.output]
    onnx.save(model, folder / "other.onnx")
    run("surgeon", "diff", before, folder / "other.onnx", "--ignore", "names", "--report", folder / "other.html",
        codes=(1,))  # fmt: skip
    page = Graphs(browser, folder / "other.html")
    search = page.all(".graphs input[type=search]")[0]
    for name in ("layer.1/abs_13", "layer.2/add_22"):
        search.clear()
        search.send_keys(f"/encoder/{name}", Keys.ENTER)
        first, second = page.chosen()
        assert second == f"other {first}" and name in first


def test_modules_show_their_largest_figure(browser, folder):
    """Errors begin at a node of the second module, and grow."""
    words = ("--onnxrt", "--onnx-outputs", "mark", "all")
    run("run", layers(folder / "right.onnx"), *words, "--save-outputs", folder / "right.json")
    model = onnx.load(folder / "right.onnx")
    next(node for node in model.graph.node if node.name.endswith("abs_17")).op_type = "Neg"
    onnx.save(model, folder / "wrong.onnx")
    run("run", folder / "wrong.onnx", *words, "--load-outputs", folder / "right.json", "--report", folder / "wrong.html",
        codes=(1,))  # fmt: skip
    page = Graphs(browser, folder / "wrong.html")
    rows = page.script("""return [...document.querySelectorAll('nav li > button')].map((row) =>
        [row.childNodes[1].textContent, Number(row.querySelector('b').textContent)])""")
    figures = dict(rows)
    assert figures["layer.0 (30)"] == figures["relu_17 (LeakyRelu)"] == 0 < figures["abs_17 (Neg)"]
    listed = [value for name, value in rows if name.split("_")[-1][:2] in map(str, range(10, 20))]
    assert figures["layer.1 (30)"] == max(listed) and len(listed) == 30
    assert figures["layer.2 (29)"] > figures["layer.1 (30)"]
    assert "Largest difference" in page.all("nav")[0].text


def test_findings_of_lint_are_on_the_graph(browser, folder):
    model = onnx.load(layers(folder / "linted.onnx"))
    model.graph.node.append(helper.make_node("Neg", ["t3"], ["unread"], name="/encoder/unused"))
    onnx.save(model, folder / "linted.onnx")
    run("check", "lint", folder / "linted.onnx", "--report", folder / "lint.html", codes=(0, 1))
    page = Graphs(browser, folder / "lint.html")
    assert page.errors() == [] and page.chosen() == ["/encoder/unused"]
    assert "unused-nodes (1)" in page.all(".graphs .legend")[0].text
    assert "surgeon sanitize" in page.all("body")[0].text


def test_keys_walk_along_edges(browser, differing):
    page = Graphs(browser, differing)
    page.all(".graphs input[type=search]")[0].send_keys("layer.0/abs_2", Keys.ENTER)
    drawing = page.drawing(0)
    drawing.send_keys(Keys.ARROW_DOWN)
    assert "add_2" in page.chosen()[0]
    drawing.send_keys(Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    assert "_2" in page.chosen()[0]
    drawing.send_keys("/")
    assert page.script("return document.activeElement.getAttribute('aria-label')") == "Search the graph"
    before = page.all(".node rect")[0].size["width"]
    drawing.send_keys("+")
    page.frame()
    assert page.all(".node rect")[0].size["width"] > before
    drawing.send_keys(Keys.ESCAPE)
    assert page.chosen() == [None, None]


def test_a_link_opens_at_a_node(browser, differing):
    page = Graphs(browser, differing)
    page.script("document.querySelectorAll('.graphs nav button')[0].click()")
    page.all(".graphs input[type=search]")[0].send_keys("layer.2/add_25", Keys.ENTER)
    address = page.script("return location.href")
    assert address.endswith("#node=%2Fencoder%2Flayer.2%2Fadd_25")
    browser.get("about:blank")
    browser.get(address)
    assert all("add_25" in name for name in page.chosen())


def test_modules_unfold_to_the_worst_node(browser, differing):
    page = Graphs(browser, differing)
    tree = page.all("nav")[0]
    assert "layer.1" in tree.text and "relu_5 " in tree.text and "relu_13 " not in tree.text
    page.script("[...document.querySelectorAll('nav button')].find((one) => one.textContent.includes('layer.1')).click()")
    assert "relu_13 " in tree.text


def test_the_strip_scrolls_to_a_depth(browser, differing):
    page = Graphs(browser, differing)
    strip = page.all(".strip")[0]
    browser.execute_script(
        """const {left, bottom} = arguments[0].getBoundingClientRect();
        arguments[0].dispatchEvent(new PointerEvent('pointerdown', {clientX: left + 3, clientY: bottom - 1, pointerId: 1}))""",
        strip)
    page.frame()
    assert any("add_29" in name for name in page.in_sight(0))


def test_nodes_have_the_colour_of_a_figure(browser, located):
    page = Graphs(browser, located)
    page.colour("In place")
    fills = {page.style(rect, "fill") for rect in page.all(".node rect")}
    assert len(fills) > 1 and page.all(".legend.scale")  # how many nodes differ depends on the processor
    page.colour("Operator")
    assert not page.all(".legend.scale") and "activation" in page.all(".graphs .legend")[0].text


def test_paper_has_the_drawing(browser, differing):
    page = Graphs(browser, differing)
    page.frame()
    page.media("print")
    page.frame()
    assert page.all(".node.chosen")[0].is_displayed() and not page.all("nav")[0].is_displayed()
    page.media()


@pytest.mark.parametrize("made", ["located", "compared", "differing"])
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (400, "dark")])
def test_axe_finds_nothing(browser, request, made, width, scheme):
    page = Graphs(browser, request.getfixturevalue(made))
    page.media(prefers_color_scheme=scheme)
    with page.width(width):
        assert page.violations() == []
        assert page.script("return document.documentElement.scrollWidth") <= width
    page.media()


def test_very_long_graphs_are_quick(browser, long_diff):
    """Limits are generous: other programs may run."""
    page = Graphs(browser, long_diff)
    assert page.script("return performance.getEntriesByName('first-contentful-paint')[0].startTime") < 3000
    assert page.script("return performance.getEntriesByType('navigation')[0].loadEventEnd") < 6000
    assert len(page.all(".node")) < 200
    frames = browser.execute_async_script("""
        const box = document.querySelector('.drawing'), times = [];
        let last = performance.now();
        const step = (now) => {
          times.push(now - last);
          last = now;
          box.scrollTop += 60;
          if (times.length < 120) requestAnimationFrame(step);
          else arguments[0](times.slice(1));
        };
        requestAnimationFrame(step);""")
    assert sorted(frames)[len(frames) // 2] < 50
    assert page.table("Nodes").status.text == f"{LONG} rows"
    assert page.errors() == []
