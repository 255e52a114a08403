"""External data that leads elsewhere: what a model's file must not make us read or write."""
import os
import struct

import pytest
from models import (attribute, floats, function, graph, harmless, model, network, node, tensor, value,
                    with_weight)
from protobuf import message

SECRET = b"the secret of another folder, 64 bytes of it, and not a model's!"
OUTSIDE = "../outside.bin"


@pytest.fixture
def polygraphy(polygraphy):
    """In a separate folder, with a secret beside it."""
    polygraphy.file("outside.bin", SECRET)
    polygraphy.folder = os.path.join(polygraphy.folder, "model")
    os.mkdir(polygraphy.folder)
    return polygraphy


def weight(location, keys=(), dims=(16,)):
    return tensor("w", dims, location=location, keys=keys)


def in_attribute(location):
    return network([node("Constant", [], ["c"], attributes=[attribute("value", t=weight(location))]),
                    node("Add", ["x", "c"], ["y"])])


def branches(nodes, initializers=()):
    body = graph(nodes, (), [value("z")], initializers)
    return [node("Cast", ["x"], ["b"], attributes=[attribute("to", i=9)]),
            node("If", ["b"], ["y"], attributes=[attribute("then_branch", g=body), attribute("else_branch", g=body)])]


def in_branch(location):
    return network(branches([node("Add", ["x", "w"], ["z"])], [weight(location)]))


def in_function(location):
    constant = node("Constant", [], ["c"], attributes=[attribute("value", t=weight(location))])
    return network([node("F", ["x"], ["y"], domain="local")],
                   functions=[function("F", [constant, node("Add", ["x", "c"], ["y"])])])


def in_sparse_values(location):
    sparse = message({1: weight(location), 2: tensor("i", [16], struct.pack("<16q", *range(16)), 7), 3: [64]})
    return network([node("Add", ["x", "w"], ["y"])], sparse=[sparse])


def in_training(location):
    training = message({1: graph([], initializers=[weight(location)])})
    return harmless() + message({20: training})


ABSOLUTE = object()
LEAVES = r"leaves the model's folder with '\.\.'"
# name: (attack, model, sentence)
LOCATIONS = {
    "parent": ("CVE-2022-25882", with_weight(weight(OUTSIDE)), LEAVES),
    "parent_of_etc": ("CVE-2022-25882", with_weight(weight("../../../../../../etc/passwd")), LEAVES),
    "inner_parent": ("CVE-2024-27318", with_weight(weight("a/../../outside.bin")), LEAVES),
    "dotted_parent": ("CVE-2024-27318", with_weight(weight("./a/.././../outside.bin")), LEAVES),
    "trailing_parent": ("CVE-2024-27318", with_weight(weight("a/..")), LEAVES),
    "absolute": ("CVE-2024-27318", with_weight(weight("/etc/passwd")), "is an absolute path"),
    "double_slash": ("CVE-2024-27318", with_weight(weight("//etc/passwd")), "is an absolute path"),
    "zero_byte": ("CVE-2022-25882", with_weight(weight("w.bin\0/../../outside.bin")), "contains a zero byte"),
    "backslashes": ("CVE-2022-25882", with_weight(weight("..\\outside.bin")), "cannot be opened"),
    "no_location": ("lying header", with_weight(weight("")), "has no location"),
    "the_folder": ("device", with_weight(weight(".")), "is not a regular file|is a link that leaves"),
    "memory_of_the_process": ("address as offset",
                              with_weight(weight("*/_ORT_MEM_ADDR_/*", [("offset", "4096"), ("length", "64")])),
                              "stands for memory"),
    "in_attribute": ("CVE-2024-27318", in_attribute(OUTSIDE), LEAVES),
    "in_branch": ("CVE-2024-27318", in_branch(OUTSIDE), LEAVES),
    "in_function": ("CVE-2024-27318", in_function(OUTSIDE), LEAVES),
    "in_sparse_values": ("CVE-2024-27318", in_sparse_values(OUTSIDE), LEAVES),
}


@pytest.mark.parametrize("name", LOCATIONS)
def test_a_location_outside_of_the_folder_is_refused(polygraphy, name):
    _, content, sentence = LOCATIONS[name]
    polygraphy.file(name + ".onnx", content)
    polygraphy.shown("Model", "inspect", "model", name + ".onnx", "--show", "layers", "attrs")
    shows = polygraphy("inspect", "model", name + ".onnx", "--show", "layers", "attrs", "weights")
    lints = polygraphy("check", "lint", name + ".onnx")
    copies = polygraphy.refused(sentence, "surgeon", "sanitize", name + ".onnx", "--cleanup", "-o", "copy.onnx",
                                "--save-external-data", "copy.data")
    runs = polygraphy("run", name + ".onnx", "--onnxrt")
    assert runs.code != 0, runs
    for ran in (shows, lints, copies, runs):
        assert "secret" not in ran.text, ran
    assert "copy.onnx" not in os.listdir(polygraphy.folder)


def test_training_data_outside_of_the_folder_is_not_read(polygraphy):
    polygraphy.file("training.onnx", in_training(OUTSIDE))
    ran = polygraphy("run", "training.onnx", "--onnxrt")
    assert "secret" not in ran.text, ran


def link_file(folder):
    os.symlink(OUTSIDE, os.path.join(folder, "w.bin"))
    return "w.bin"


def link_folder(folder):
    os.symlink("..", os.path.join(folder, "data"))
    return "data/outside.bin"


def link_chain(folder):
    os.symlink(OUTSIDE, os.path.join(folder, "b.bin"))
    os.symlink("b.bin", os.path.join(folder, "a.bin"))
    return "a.bin"


def link_circle(folder):
    os.symlink("w.bin", os.path.join(folder, "w.bin"))
    return "w.bin"


def link_memory(folder):
    os.symlink("/proc/self/mem", os.path.join(folder, "w.bin"))
    return "w.bin"


def link_device(folder):
    os.symlink("/dev/zero", os.path.join(folder, "w.bin"))
    return "w.bin"


def fifo(folder):
    os.mkfifo(os.path.join(folder, "w.bin"))
    return "w.bin"


# name: (attack, what lies in the folder, sentence)
FILES = {
    "link_to_a_file": ("CVE-2026-27489", link_file, "is a link that leaves the model's folder"),
    "link_to_a_folder": ("CVE-2026-27489", link_folder, "is a link that leaves the model's folder"),
    "link_to_a_link": ("CVE-2026-27489", link_chain, "is a link that leaves the model's folder"),
    "link_to_itself": ("CVE-2026-27489", link_circle, "cannot be opened"),
    "link_to_memory": ("CVE-2026-27489", link_memory, "is a link that leaves the model's folder"),
    "link_to_a_device": ("CVE-2026-27489", link_device, "is a link that leaves the model's folder"),
    "fifo": ("device", fifo, "is not a regular file"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_of_the_folder_is_refused(polygraphy, name):
    _, make, sentence = FILES[name]
    polygraphy.file(name + ".onnx", with_weight(weight(make(polygraphy.folder))))
    polygraphy.refused(sentence, "surgeon", "sanitize", name + ".onnx", "--cleanup", "-o", "copy.onnx",
                       "--save-external-data", "copy.data")
    for command in (["inspect", "model", name + ".onnx", "--show", "weights"], ["check", "lint", name + ".onnx"],
                    ["run", name + ".onnx", "--onnxrt"]):
        ran = polygraphy(*command)
        assert "secret" not in ran.text, ran


def test_a_hard_link_is_named(polygraphy):
    """CVE-2026-34446. Package managers link files, too, so it is read (docs/differences/new.md)."""
    os.link(os.path.join(polygraphy.folder, OUTSIDE), os.path.join(polygraphy.folder, "w.bin"))
    polygraphy.file("hard_link.onnx", with_weight(weight("w.bin")))
    polygraphy.shown(r"w\.bin has 2 hard links: if the model is not yours", "surgeon", "sanitize", "hard_link.onnx",
                     "--cleanup", "-o", "copy.onnx")


HUGE = str(2**63 - 1)
# name: (keys, sentence; None: harmless)
KEYS = {
    "negative_offset": ([("offset", "-4")], "offset is '-4', which is not a number of bytes"),
    "huge_offset": ([("offset", HUGE)], "but that file has only 64"),
    "offset_beyond_64_bits": ([("offset", "1" + HUGE)], "which is not a number of bytes"),
    "offset_in_hexadecimal": ([("offset", "0x10")], "which is not a number of bytes"),
    "negative_length": ([("length", "-1")], "length is '-1', which is not a number of bytes"),
    "huge_length": ([("length", HUGE)], "but type and shape need 64"),
    "length_is_a_text": ([("length", "many")], "which is not a number of bytes"),
    "second_location": ([("location", OUTSIDE)], LEAVES),
    "attributes_of_the_object": ([("__class__", "x"), ("__dict__", "x"), ("__init__", "x"), ("folder_", "/etc")], None),
    "base_folder": ([("basepath", "/etc"), ("base_dir", "..")], None),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_numbers_and_names_only(polygraphy, name):
    """CVE-2026-34445."""
    keys, sentence = KEYS[name]
    polygraphy.file("w.bin", bytes(64))
    polygraphy.file(name + ".onnx", with_weight(weight("w.bin", keys)))
    command = ["surgeon", "sanitize", name + ".onnx", "--cleanup", "-o", "copy.onnx"]
    if sentence is None:
        polygraphy.shown("", *command)
    else:
        polygraphy.refused(sentence, *command)
    polygraphy("inspect", "model", name + ".onnx", "--show", "weights")


def test_a_claim_of_terabytes_reads_nothing(polygraphy):
    """CVE-2026-34445: memory by a length."""
    polygraphy.file("w.bin", bytes(64))
    polygraphy.file("claim.onnx", with_weight(weight("w.bin", [("length", str(2**42))], [2**40])))
    polygraphy.refused("but that file has only 64", "surgeon", "sanitize", "claim.onnx", "--cleanup", "-o", "copy.onnx")
    polygraphy("inspect", "model", "claim.onnx", "--show", "weights")


BIG = 4096


def test_weights_are_not_written_over_another_file(polygraphy):
    """CVE-2025-51480: the location of the model, a name of a tensor, a link in the output folder."""
    victim = os.path.join(polygraphy.folder, OUTSIDE)

    def intact():
        with open(victim, "rb") as file:
            return file.read() == SECRET

    names = ["../outside.bin", victim, "a/../../outside.bin", ".."]
    weights = [floats(name, [1.0] * BIG) for name in names]
    sums = [node("Add", ["x", names[0]], ["s1"]), node("Add", ["s1", names[1]], ["s2"]),
            node("Add", ["s2", names[2]], ["s3"]), node("Add", ["s3", names[3]], ["y"])]
    polygraphy.file("names.onnx", network(sums, x=[BIG], y=[BIG], initializers=weights))
    polygraphy.shown("", "surgeon", "sanitize", "names.onnx", "--cleanup", "-o", "copy/copy.onnx",
                     "--save-external-data", "--no-save-all-tensors-to-one-file")
    assert intact() and sorted(os.listdir(os.path.dirname(polygraphy.folder))) == ["model", "outside.bin"]
    # The sandbox would refuse it before.
    polygraphy.refused("leaves the model's folder", "surgeon", "sanitize", "names.onnx", "--cleanup", "-o", "copy.onnx",
                       "--save-external-data", OUTSIDE, "--no-sandbox")
    os.symlink(OUTSIDE, os.path.join(polygraphy.folder, "linked.data"))
    polygraphy.refused("linked.data' is a symbolic link", "surgeon", "sanitize", "names.onnx", "--cleanup", "-o",
                       "linked.onnx", "--save-external-data", "linked.data", "--no-sandbox")
    os.symlink(OUTSIDE, os.path.join(polygraphy.folder, "default.onnx.data"))
    polygraphy.refused("default.onnx.data' is a symbolic link", "surgeon", "sanitize", "names.onnx", "--cleanup", "-o",
                       "default.onnx", "--save-external-data", "--no-sandbox")
    assert intact()


def test_inputs_are_not_written_over_another_file(polygraphy):
    """CVE-2025-51480, for names of inputs."""
    name = "../../../outside"
    polygraphy.file("input.onnx", model(graph([node("Relu", [name], ["y"])], [value(name)], [value("y")])))
    polygraphy.refused("its file would not be in", "run", "input.onnx", "--onnxrt", "--save-input-blob", "inputs")


def test_a_model_is_never_fetched(polygraphy):
    """CVE-2026-28500: a hub that is trusted silently. A URL is a path here."""
    import socket
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        url = "http://127.0.0.1:%d/model.onnx" % server.getsockname()[1]
        for command in (["inspect", "model", url], ["check", "lint", url], ["run", url, "--onnxrt"]):
            polygraphy.refused("No such file", *command)
        with pytest.raises(BlockingIOError):
            server.accept()
