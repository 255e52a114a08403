"""Pages in a real browser: Debian's Chromium, without a window and without a network."""

import os
import shutil
import subprocess

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POLYGRAPHY = os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy"))

# Nothing that a browser asks for by itself.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1300,900",
]


@pytest.fixture(scope="session", autouse=True)
def work_folder(tmp_path_factory):
    """The folder for files of commands without an output path."""
    os.chdir(tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("there is no Chromium here: scripts/setup.sh ci brings it")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


def run(*words, codes=(0,)):
    """The executable's output; `codes`: the exit codes that are right."""
    done = subprocess.run([POLYGRAPHY, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def magika():
    return os.path.join(ROOT, ".deps", "models", "magika.onnx")
