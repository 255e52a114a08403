"""Files of arrays: lying headers, bombs and pickles."""
import base64
import io
import json
import os
import pickle
import struct
import zipfile
import zlib

import pytest
from conftest import both
from models import harmless
from protobuf import field, message

HUGE = 2**63 - 1


def npy(header, data=b"", version=b"\x01\x00", length=None):
    header = header.encode()
    size = struct.pack("<H" if version[0] == 1 else "<I", len(header) if length is None else length)
    return b"\x93NUMPY" + version + size + header + data


def described(descr="'<f4'", shape="(1,)", order="False"):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)


class Opens:
    """A pickle that creates a file when it is loaded."""

    def __reduce__(self):
        return os.system, ("touch opened",)


PICKLE = pickle.dumps(Opens(), protocol=2)
ONE = npy(described(), struct.pack("<f", 1))


def archive(entries, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, content in entries:
            file.writestr(name, content)
    return out.getvalue()


MEGABYTE = 1 << 20


def bomb(names, megabytes):
    """An archive in which each name is the same compressed array of zeros."""
    head, zeros = npy(described(shape="(%d,)" % (megabytes * MEGABYTE // 4))), bytes(MEGABYTE)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = compressor.compress(head) + compressor.flush(zlib.Z_FULL_FLUSH)
    # After a full flush, equal bytes compress to equal bytes.
    piece = compressor.compress(zeros) + compressor.flush(zlib.Z_FULL_FLUSH)
    packed += piece * megabytes + compressor.flush()
    crc, size = zlib.crc32(head), len(head) + megabytes * MEGABYTE
    for _ in range(megabytes):
        crc = zlib.crc32(zeros, crc)
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0x21, crc, len(packed), size,
                        len(names[0]), 0) + names[0]
    directory = b"".join(
        struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0x21, crc, len(packed), size, len(name),
                    0, 0, 0, 0, 0, 0) + name for name in names)
    begin = len(local) + len(packed)
    return local + packed + directory + end(len(names), len(directory), begin)


def end(count, size, offset):
    return struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, offset, 0)


def patched(content, at_signature, offset, value):
    """A field of each record with this signature is overwritten."""
    out, at = bytearray(content), content.find(at_signature)
    while at >= 0:
        out[at + offset:at + offset + len(value)] = value
        at = content.find(at_signature, at + 1)
    return bytes(out)


CENTRAL = b"PK\x01\x02"


def safetensors(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(shape, begin, finish, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, finish]}


def torch_file(pickled, others=()):
    return archive([("archive/data.pkl", pickled), ("archive/version", "3\n"), *others], zipfile.ZIP_STORED)


# name: (file, sentence)
LYING = {
    "header_beyond_the_end.npy": (npy(described(), length=60000), "truncated"),
    "header_of_4_gigabytes.npy": (npy(described(), version=b"\x02\x00", length=2**32 - 1), "header|truncated"),
    "version_9.npy": (npy(described(), version=b"\x09\x00"), "version"),
    "shape_of_2_63.npy": (npy(described(shape="(%d,)" % HUGE), bytes(4)), "elements|truncated|large|bytes"),
    "shape_product_overflows.npy": (npy(described(shape="(4294967296, 4294967296)"), bytes(4)), "elements|large|bytes"),
    "shape_of_minus_1.npy": (npy(described(shape="(-1,)"), bytes(4)), "not understood as the header"),
    "shape_of_1000_digits.npy": (npy(described(shape="(%s,)" % ("9" * 1000)), bytes(4)), "not understood"),
    "shape_of_10_000_dimensions.npy": (npy(described(shape="(%s)" % ("1," * 10_000)), bytes(4)), "64 dimensions"),
    "shape_in_10_000_brackets.npy": (npy(described(shape="(" * 10_000)), "not understood"),
    "terabytes_in_4_bytes.npy": (npy(described(shape="(1099511627776,)"), bytes(4)), "truncated"),
    "pickle_of_objects.npy": (npy(described("'|O'"), PICKLE), "object|pickle|'O'|\\|O"),
    "texts_of_2_31.npy": (npy(described("'<U2147483647'"), bytes(4)), "truncated|not supported|large"),
    "texts_of_2_63.npy": (npy(described("'<U%d'" % HUGE), bytes(4)), "truncated|not supported|large|type"),
    "empty_texts.npy": (npy(described("'<U0'", "(1099511627776,)")), "texts|elements|large|not supported"),
    "records.npy": (npy(described("[('a', '<f4')]"), bytes(4)), "structured arrays are not supported"),
    "code_in_the_header.npy": (npy("__import__('os').system('touch opened')\n"), "not understood as the header"),
    "no_header.npy": (b"\x93NUMPY", "not an .npy file"),
    "size_of_2_40.npz": (patched(archive([("a.npy", ONE)]), CENTRAL, 24, b"\xfe\xff\xff\xff"), "impossible|damaged"),
    "size_beyond_the_end.npz": (
        patched(archive([("a.npy", ONE)]), CENTRAL, 20, b"\xfe\xff\xff\xff"), "smaller than its entries"),
    "offset_beyond_the_end.npz": (
        patched(archive([("a.npy", ONE)]), CENTRAL, 42, b"\xfe\xff\xff\xff"), "truncated or damaged"),
    "checksum.npz": (patched(archive([("a.npy", ONE)]), CENTRAL, 16, b"\0\0\0\0"), "is damaged: its checksum"),
    "encrypted.npz": (patched(archive([("a.npy", ONE)]), CENTRAL, 8, b"\x01\0"), "encrypted"),
    "method_99.npz": (patched(archive([("a.npy", ONE)]), CENTRAL, 10, b"\x63\0"), "method 99 is not supported"),
    "no_directory.npz": (archive([("a.npy", ONE)])[:-22], "no directory|truncated"),
    "directory_beyond_the_end.npz": (archive([("a.npy", ONE)])[:-22] + end(1, 60, 2**32 - 2), "truncated or damaged"),
    "65_534_entries_in_22_bytes.npz": (b"PK\x03\x04" + bytes(30) + end(65534, 0, 0), "damaged|directory"),
    "zip_in_a_zip.npz": (archive([("a.npy", archive([("b.npy", ONE)]))]), "npy|numpy|NumPy"),
    "pickle.npz": (archive([("a.npy", npy(described("'|O'"), PICKLE))]), "object|pickle|'O'|\\|O"),
    "header_of_2_63.safetensors": (safetensors({}, length=2**63), "not a safetensors file, or truncated|format"),
    "header_beyond_the_end.safetensors": (safetensors({"a": entry([1], 0, 4)}, bytes(4), 10_000), "truncated|format"),
    "header_is_deep.safetensors": (safetensors(b'{"a":' * 100_000), "nested too deeply"),
    "metadata_is_deep.safetensors": (safetensors(b'{"__metadata__":{"a":' + b"[" * 100_000), "nested too deeply"),
    "offsets_backwards.safetensors": (safetensors({"a": entry([1], 4, 0)}, bytes(4)), "truncated"),
    "offsets_beyond_the_end.safetensors": (safetensors({"a": entry([1024], 0, 4096)}, bytes(4)), "truncated"),
    "offsets_of_2_63.safetensors": (safetensors({"a": entry([1], HUGE - 4, HUGE)}, bytes(4)), "truncated"),
    "offsets_negative.safetensors": (safetensors({"a": entry([1], -4, 0)}, bytes(4)), "not two positions"),
    "shape_of_2_63.safetensors": (safetensors({"a": entry([HUGE, HUGE], 0, 4)}, bytes(4)), "elements|large|bytes"),
    "shape_of_minus_1.safetensors": (safetensors({"a": entry([-1], 0, 4)}, bytes(4)), "negative|-1"),
    "shape_of_10_000_dimensions.safetensors": (
        safetensors({"a": entry([1] * 10_000, 0, 4)}, bytes(4)), "64 dimensions"),
    "two_of_one_name.safetensors": (safetensors(b'{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},'
                                                b'"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'),
                                    "occurs twice"),
    "runs_a_program.pt": (torch_file(PICKLE), "not plain data|calls|posix.system|system"),
    "memo_of_2_32.pt": (torch_file(b"\x80\x02}r\xff\xff\xff\xff" + b"j\0\0\0\0."), "refers to a value"),
    "text_of_2_64.pt": (torch_file(b"\x80\x04\x8d" + b"\xff" * 8 + b"abc."), "is truncated"),
    "marks_100_000_deep.pt": (torch_file(b"\x80\x02" + b"(" * 100_000 + b"."), "1,000 marks"),
    "lists_100_000_deep.pt": (torch_file(b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b"."), "64 levels"),
    "tensor_of_2_63.pb": (message({1: [HUGE, HUGE], 2: 1, 9: bytes(4), 8: "x"}), "elements|large|bytes|dim"),
    "tensor_of_minus_1.pb": (message({1: [-1], 2: 1, 9: bytes(4), 8: "x"}), "negative|-1"),
    "tensor_of_terabytes.pb": (message({1: [2**40], 2: 1, 9: bytes(4), 8: "x"}), "bytes|values"),
    "tensor_outside.pb": (message({1: [1], 2: 1, 8: "x", 13: [message({1: "location", 2: "/etc/passwd"})], 14: 1}),
                          "has its values in another file"),
    "empty.pb": (b"", "neither a TensorProto nor a sequence"),
}


@pytest.mark.parametrize("name", LYING)
def test_lying_headers_are_refused(polygraphy, name):
    content, sentence = LYING[name]
    polygraphy.file(name, content)
    polygraphy.file("model.onnx", harmless())
    polygraphy.refused(both(name, sentence), "inspect", "data", name, "--show-values")
    polygraphy.refused(both(name, sentence), "data", "to-input", name, "-o", "inputs.json")
    polygraphy.refused(both(name, sentence), "run", "model.onnx", "--onnxrt", "--load-inputs", name)
    assert "opened" not in os.listdir(polygraphy.folder)


BOMBS = {
    "one_gigabyte.npz": bomb([b"x.npy"], 1024),
    "thousand_entries_of_one_kernel.npz": bomb([b"a%d.npy" % i for i in range(1000)], 10),
    "names_of_other_folders.npz": archive([("../../../etc/x.npy", ONE), ("/etc/y.npy", ONE)]),
    "ten_thousand_entries.npz": archive([("a%d.npy" % i, ONE) for i in range(10_000)]),
    "ten_thousand_tensors.safetensors": safetensors({"t%d" % i: entry([1], 0, 4) for i in range(10_000)}, bytes(4)),
    "all_at_one_place.safetensors": safetensors({"t%d" % i: entry([1 << 18], 0, 1 << 20) for i in range(1000)},
                                                bytes(1 << 20)),
    "ten_thousand_texts.npy": npy(described("'<U1'", "(10000,)"), b"a\0\0\0" * 10_000),
}


REFUSED = {"one_gigabyte.npz": "a zip bomb", "thousand_entries_of_one_kernel.npz": "they overlap"}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(polygraphy, name):
    polygraphy.file(name, BOMBS[name])
    for command in (["inspect", "data", name], ["data", "to-input", name, "-o", "inputs.npz"]):
        if name in REFUSED:
            polygraphy.refused(both(name, REFUSED[name]), *command)
        else:
            polygraphy.shown("", *command)


def in_json(array):
    return json.dumps({"x": {"array": array, "polygraphy_class": "ndarray"}})


def encoded(content):
    return base64.b64encode(content).decode()


# name: (text, sentence)
JSON_ARRAYS = {
    "pickle": (in_json(encoded(npy(described("'|O'"), PICKLE))), "object|pickle|O"),
    "shape_of_2_63": (in_json(encoded(npy(described(shape="(%d,)" % HUGE)))), "elements|large|bytes"),
    "bomb": (in_json(encoded(bomb([b"a.npy"], 512))), "a zip bomb"),
    "no_base64": (in_json("****" * 100), "base64|npy|NumPy"),
    "cut_base64": (in_json(encoded(ONE)[:-7]), "not an .npy file|truncated"),
    "array_is_a_number": (json.dumps({"x": {"array": 5, "polygraphy_class": "ndarray"}}), "expected|array"),
    "array_in_an_array_1000_times": (
        '{"x": ' + '{"polygraphy_class": "LazyArray", "values": ' * 1000 + "1" + "}" * 1001,
                                     "nested|expected|decode"),
    "class_of_the_system": (json.dumps({"x": {"polygraphy_class": "os.system", "array": "touch opened"}}),
                            "Could not decode serialized type: os.system"),
    "list_of_lists_of_other_lengths": (json.dumps({"x": [[1, 2], [3]]}), "shape|lengths|list"),
    "list_100_000_deep": ('{"x": ' + "[" * 100_000 + "]" * 100_000 + "}", "deep|nested"),
    "numbers_of_a_million_digits": ('{"x": [' + "9" * 1_000_000 + "]}", None),
    "exponent_of_a_million": ('{"x": [1e999999, -1e999999, 1e-999999]}', None),
    "texts_and_numbers": ('{"x": [1, "a", null, {}, []]}', "expected|kind|list"),
    "number": ("5", "neither saved inputs, nor results|cannot be recognized as a feed_dict"),
    "text": ('"abc"', "neither saved inputs, nor results|cannot be recognized as a feed_dict"),
    "null": ("null", "neither saved inputs, nor results|cannot be recognized as a feed_dict"),
    "list_of_numbers": ("[1, 2, 3]", None),
    "list_of_null": ("[null]", "element 0 of the list, which is not an object"),
    "object_without_end": ('{"x": [1, 2', "expected|end"),
    "text_without_end": ('{"x', "does not end"),
    "key_of_a_megabyte": ('{"%s": [1]}' % ("k" * (1 << 20)), None),
    "keys_100_000_equal": ("{" + ",".join('"x": [1]' for _ in range(100_000)) + "}", None),
    "zero_byte": ('{"x\\u0000y": [1]}', None),
    "half_a_character": ('{"\\ud800": [1]}', None),
    "not_utf8": (b'{"\xff\xfe": [1]}'.decode("latin-1"), None),
}


@pytest.mark.parametrize("name", JSON_ARRAYS)
def test_saved_inputs(polygraphy, name):
    text, sentence = JSON_ARRAYS[name]
    file = name + ".json"
    polygraphy.file(file, text)
    polygraphy.file("model.onnx", harmless())
    for command in (["inspect", "data", file, "--show-values"],
                    ["run", "model.onnx", "--onnxrt", "--load-inputs", file]):
        if sentence is None:
            polygraphy(*command)
        else:
            polygraphy.refused(both(file, sentence), *command)
    polygraphy.refused(file, "run", "model.onnx", "--onnxrt", "--load-outputs", file)
    assert "opened" not in os.listdir(polygraphy.folder)
