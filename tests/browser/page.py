"""Queries of tests to a page."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


class Page:
    def __init__(self, browser, path):
        self.browser = browser
        browser.get_log("browser")  # of the page before
        self.media()
        browser.get(path if isinstance(path, str) else path.as_uri())

    def errors(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self):
        """The addresses that the page has requested besides its own."""
        return self.browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")

    def script(self, text):
        return self.browser.execute_script(text)

    @contextmanager
    def width(self, pixels):
        """A screen of this width, which may be less than the 500 pixels of the narrowest window."""
        screen = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        try:
            yield
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def violations(self):
        """Of the rules of axe-core: which, and where."""
        axe = Path(__file__).parents[2] / ".deps" / "axe-core" / "axe.min.js"
        if not axe.exists():
            pytest.skip("axe-core is not here: scripts/setup.sh ci brings it")
        self.script(axe.read_text())
        found = self.browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait_for(self, selector):
        """The same, once there are some: a page draws between two frames."""
        return WebDriverWait(self.browser, 10).until(lambda _: self.all(selector))

    def section(self, title):
        """The part of the page under a heading that begins so."""
        for section in self.all("section"):
            headings = section.find_elements(By.TAG_NAME, "h2")
            if headings and headings[0].text.startswith(title):
                return section
        raise AssertionError(f"no section {title!r}")

    def table(self, title):
        return Table(self.browser, self.section(title))

    def style(self, element, name):
        return self.browser.execute_script("return getComputedStyle(arguments[0])[arguments[1]]", element, name)

    def media(self, kind="", **features):
        """As paper ("print") or a screen with such features: prefers_color_scheme="dark"."""
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": kind, "features": [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]},
        )


class Table:
    def __init__(self, browser, section):
        self.browser = browser
        self.box = section.find_element(By.CSS_SELECTOR, ".rows")
        self.search = section.find_element(By.CSS_SELECTOR, "input[type=search]")
        self.status = section.find_element(By.CSS_SELECTOR, ".count")

    def heads(self):
        return self.box.find_elements(By.CSS_SELECTOR, "thead th")

    def rows(self):
        """The texts of the rows that are in the document, by column."""
        names = [head.get_attribute("textContent") for head in self.heads()]
        texts = self.browser.execute_script(
            "return [...arguments[0].querySelectorAll('tbody tr:not(.space)')]"
            ".map(row => [...row.children].map(cell => cell.textContent))",
            self.box,
        )
        return [dict(zip(names, row)) for row in texts]

    def column(self, name):
        return [row[name] for row in self.rows()]

    def sort(self, name):
        head = next(h for h in self.heads() if h.get_attribute("textContent") == name)
        self.browser.execute_script("arguments[0].querySelector('button').click()", head)
        return head.get_attribute("aria-sort")

    def filter(self, text):
        self.search.send_keys(Keys.CONTROL, "a")
        self.search.send_keys(text or Keys.DELETE)

    def scroll(self, top):
        self.browser.execute_script("arguments[0].scrollTop = arguments[1]", self.box, top)
        self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
