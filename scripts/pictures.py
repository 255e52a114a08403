#!/usr/bin/env python3
"""pictures.py [NAME...]: takes the pictures of README.md and docs/ anew, all or those of these names.

Runs the commands of a picture with the executable ($POLYGRAPHY, else that of build/release), opens the
page that they write in Chromium without a window, and saves docs/pictures/NAME.png in few colours.
Needs Selenium (PYTHONPATH=.deps/parity, after scripts/setup_parity.sh) and Pillow.
"""

from __future__ import annotations

import base64
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ("examples/quantized/float.onnx", "examples/quantized/int8.onnx", ".deps/models/magika.onnx")
MOST_BYTES = 60_000
WIDTH, COLOURS = 1200, 128


class Picture(NamedTuple):
    commands: tuple[str, ...]  # in a folder with MODELS; the last one writes page.html
    height: int = 640
    show: str = ""  # the selector of the element that the picture begins with; empty: the page's top
    click: str = ""  # the selector of an element that is clicked first


BYTES = "--val-range bytes:[0,255]"
BF16 = "--onnxrt --openvino --openvino-precision bf16"
PICTURES = {
    "guilty": Picture(("debug locate int8.onnx --float-model float.onnx --onnxrt --report page.html",), 900),
    "locate": Picture((f"debug locate magika.onnx {BF16} {BYTES} --report page.html",)),
    "report": Picture((f"run magika.onnx {BF16} {BYTES} --report page.html",)),
    "model": Picture(("inspect model int8.onnx --visual --save-visual page.html",)),
    "diff": Picture(("surgeon diff float.onnx int8.onnx --report page.html",)),
    "sensitivity": Picture(("debug sensitivity float.onnx --format int4 --limit 0.05 --report page.html",)),
    "consistency": Picture(("check consistency int8.onnx --onnxrt --report page.html",)),
    "benchmark": Picture(("run int8.onnx --onnxrt --openvino --benchmark --benchmark-nodes 5 --report page.html",)),
    "zoo": Picture(("zoo float.onnx int8.onnx --onnxrt --openvino --report page.html",)),
}


def write_page(picture: Picture, folder: pathlib.Path) -> pathlib.Path:
    """The page of the picture's commands."""
    program = pathlib.Path(os.environ.get("POLYGRAPHY", ROOT / "build/release/bin/polygraphy")).resolve()
    # Pages show the command as it was typed, and a date.
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "SOURCE_DATE_EPOCH": "1767225600"}
    for model in MODELS:
        if (ROOT / model).exists():
            shutil.copy(ROOT / model, folder)
    for command in picture.commands:
        done = subprocess.run(["polygraphy", *command.split()], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    page = folder / "page.html"
    if not page.exists():
        sys.exit(f"polygraphy {command}\n{done.stdout}")
    return page


def take(browser, picture: Picture, page: pathlib.Path) -> bytes:
    from PIL import Image

    screen = {"width": WIDTH, "height": picture.height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(page.as_uri())
    wait = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 500)))"
    browser.execute_async_script(wait)
    top = 0
    if picture.click:
        browser.execute_script("document.querySelector(arguments[0]).click()", picture.click)
        browser.execute_async_script(wait)
    if picture.show:
        find = "return document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY"
        top = max(browser.execute_script(find, picture.show) - 12, 0)
    clip = {"x": 0, "y": top, "width": WIDTH, "height": picture.height, "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    image = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    encoded = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(encoded, "PNG", optimize=True)
    return encoded.getvalue()


def main(names: list[str]) -> None:
    sys.path.insert(0, str(ROOT / "tests/browser"))
    from chromium import open_browser

    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile)
        if browser is None:
            sys.exit("There is no Chromium here: scripts/setup.sh ci brings it.")
        for name in names or PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                taken = take(browser, PICTURES[name], write_page(PICTURES[name], pathlib.Path(folder)))
            print(f"{name}: {len(taken):,} bytes")
            if len(taken) > MOST_BYTES:
                sys.exit(f"More than {MOST_BYTES:,}: make it lower, or show less.")
            (ROOT / "docs/pictures" / f"{name}.png").write_bytes(taken)
        browser.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
