"""Devices, pipes, links and names as paths."""
import os

import pytest
from conftest import both
from models import harmless

# path: sentence
DEVICES = {
    "/dev/zero": "it is a device, not a file|it is not a regular file",
    "/dev/urandom": "it is a device, not a file|it is not a regular file",
    "/proc/self/mem": "cannot read|Could not",
    "/proc/kcore": "cannot|Could not",
    "/proc/self/maps": "Could not|not an|unknown|expected|not a plan",
    "/dev/null": "empty|the end of the file|not a plan",
    "/dev": "folder|directory",
}


@pytest.mark.parametrize("path", DEVICES)
def test_devices_as_files(polygraphy, path):
    polygraphy.file("model.onnx", harmless())
    for command in (["inspect", "model", path], ["inspect", "data", path],
                    ["surgeon", "sanitize", path, "--cleanup", "-o", "out.onnx"], ["job", path],
                    ["task", "status", path], ["surgeon", "diff", "model.onnx", path]):
        polygraphy.refused(both(path, DEVICES[path]), *command)


def test_a_folder_with_pipes_does_not_hang(polygraphy):
    folder = os.path.join(polygraphy.folder, "models")
    os.mkdir(folder)
    os.mkfifo(os.path.join(folder, "a.onnx"))
    os.mkfifo(os.path.join(folder, "a.npy"))
    os.mkfifo(os.path.join(folder, "a.json"))
    polygraphy.file("model.onnx", harmless())
    for command in (["zoo", "models", "--onnxrt", "-o", "zoo.json"], ["inspect", "data", "models"],
                    ["run", "model.onnx", "--onnxrt", "--load-inputs", "models"]):
        polygraphy(*command)


NAMES = ["-rf", "--help", "a\nb", "a\tb", "\x1b[31m", "a b", "'; touch opened; '", "$(touch opened)", "`touch opened`",
         "n" * 250, "%s%n", "\udcff\udcfe", "\u202egnp.exe"]


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_names_of_files(polygraphy, number):
    name = NAMES[number] + ".onnx"
    polygraphy.file(name, harmless())
    path = "./" + name
    for command in (["inspect", "model", path], ["check", "lint", path], ["run", path, "--onnxrt"],
                    ["surgeon", "sanitize", path, "--cleanup", "-o", "./out.onnx"]):
        polygraphy.shown("", *command)
    assert "opened" not in os.listdir(polygraphy.folder)


def test_a_missing_file_of_a_hostile_name_is_named_visibly(polygraphy):
    ran = polygraphy("inspect", "model", "\x1b]52;c;aGk=\x07\u202e.onnx")
    assert len(ran.errors) == 1 and "\x1b" not in ran.text and "\u202e" not in ran.text, ran
