"""Long calls show how far they are, where standard error is a terminal."""

import re
import subprocess
import sys

import pytest

from differential import ROOT
from terminal import shown_on_a_terminal

DOUBLES = str(ROOT / "tests" / "doubles" / "trt_module")

PRELUDE = """
import time
import numpy as np
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import Comparator, RunResults
from polygraphy.logger import G_LOGGER

class Slow(BaseRunner):
    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (1,))
    def infer_impl(self, feed_dict):
        time.sleep(0.3)
        self.inference_time = 0.3
        return {"y": feed_dict["x"]}

def slowly(items):
    for item in items:
        time.sleep(0.3)
        yield item

FEEDS = [{"x": np.float32([number])} for number in range(6)]
"""

CALLS = {
    "iteration": "Comparator.run([Slow('slow')], data_loader=FEEDS)",
    "input": "Comparator.run([], data_loader=[]); from polygraphy.comparator.data_loader import "
    "DataLoaderCache; DataLoaderCache(slowly(FEEDS)).set_input_metadata(TensorMetadata())",
    "comparison": """
results = Comparator.run([Slow("a"), Slow("b")], data_loader=FEEDS[:1])
results.append(("c", results["a"] * 6)); results.append(("d", results["a"] * 6)); results.lst = results.lst[2:]
def slow(*outputs):
    time.sleep(0.3)
    return {"y": True}
Comparator.compare_accuracy(results, compare_func=slow)""",
}


@pytest.mark.parametrize("phase", CALLS)
def test_a_terminal_shows_the_progress(phase):
    """Above it stand the messages of the original, and behind the call nothing of it is left."""
    script = PRELUDE + CALLS[phase]
    shown = shown_on_a_terminal(script)
    assert f"\r\x1b[K{phase}" in shown
    if phase != "input":  # a generator does not say how many there are
        assert f"{phase}:  66%|██████▋   | 4/6" in shown
    for line in shown.split("\r\n"):
        before, _, last = line.rpartition("\r\x1b[K")
        assert not before or not last.startswith(phase), "a message follows the line of progress"
    if phase != "iteration":
        return
    piped = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert piped.stderr == b"" and b"\x1b[K" not in piped.stdout


def test_a_notebook_shows_a_bar():
    shown = subprocess.run([sys.executable, "-c", PRELUDE + """
import sys, types
class OutStream:
    __module__ = "ipykernel.iostream"
    def flush(self):
        pass
class Handle:
    def update(self, page):
        print("update", page)
def display(page, display_id):
    print("display", page)
    return Handle()
sys.modules["IPython.display"] = types.SimpleNamespace(HTML=str, display=display)
sys.stderr = OutStream()
""" + CALLS["iteration"]], capture_output=True, check=True, text=True).stdout
    pages = re.findall(r"^(display|update) ?(.*)$", shown, re.M)
    assert [verb for verb, _ in pages] == ["display"] + ["update"] * (len(pages) - 1), shown
    cells = re.findall(r"<td>(.*?)</td>", pages[0][1])
    assert cells == ["iteration", '<progress aria-label="iteration" value="4" max="6"></progress>', "4 of 6",
                     "0:01, 0:01 left"]  # fmt: skip
    assert pages[-1] == ("update", ""), "nothing of it is left"


def test_calibration():
    shown = shown_on_a_terminal(f"import sys; sys.path.append({DOUBLES!r})" + PRELUDE + """
from polygraphy.backend.trt import calibrator
class Base:
    pass
calibration = calibrator.Calibrator(slowly(FEEDS), BaseClass=Base)
calibration._address = lambda name, array: 1
while calibration.get_batch(["x"]):
    G_LOGGER.info("building")
""")
    assert "\r\x1b[Kcalibration batch: 4 [" in shown
    assert shown.endswith("\r\x1b[K")
    assert shown.count("[I] building") == 6


def test_what_ends_early_leaves_no_line():
    shown = shown_on_a_terminal(PRELUDE + """
def broken():
    yield from slowly(FEEDS)
    raise KeyError("gone")
try:
    Comparator.run([Slow("slow")], data_loader=broken())
except KeyError:
    print("the end")
""")
    assert "\r\x1b[Kinput: " in shown and shown.endswith("\r\x1b[Kthe end\r\n"), shown
