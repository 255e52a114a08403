"""Files of JSON with large arrays, and files that are either complete or missing."""

import os
import stat

import numpy as np
import pytest

from differential import needs_originals, run
from polygraphy import util
from polygraphy.comparator import IterationResult, RunResults
from polygraphy.json import Decoder, Encoder, load_json, save_json, to_json


def large(order="C", dtype="f4"):
    return np.asarray(np.random.RandomState(0).rand(300, 100) * 100, dtype=dtype, order=order)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "?", ">f4", "c16", "U4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_file_is_the_text(tmp_path, dtype, order):
    obj = {"x": [large(order, dtype), "array", {"array": 1.5}], "y": np.arange(3)}
    path = str(tmp_path / "x.json")
    save_json(obj, path)
    assert (tmp_path / "x.json").read_text() == to_json(obj)
    (array, *rest), small = load_json(path).values()
    assert np.array_equal(array, obj["x"][0]) and array.dtype == obj["x"][0].dtype
    assert array.flags.writeable and array.flags[f"{order}_CONTIGUOUS"]
    assert rest == obj["x"][1:] and small.tolist() == [0, 1, 2]


@needs_originals
def test_several_arrays_of_results(tmp_path):
    path = str(tmp_path / "x.json")
    outputs = {f"o{i}": np.full(50_000 + i, i, "f4") for i in range(5)}
    results = RunResults()
    results.append(("runner", [IterationResult(outputs, runner_name="runner")]))
    results.save(path)
    loaded = RunResults.load(path)["runner"][0]
    assert all(np.array_equal(loaded[name], array) for name, array in outputs.items())
    code = f"""
from polygraphy.comparator import RunResults
print(sum(float(array.sum()) for array in RunResults.load({path!r})["runner"][0].values()))"""
    printed, _ = run(code, tmp_path, ours=False)
    assert printed.splitlines()[-1] == str(sum(float(a.sum()) for a in outputs.values()))


def test_text_with_damage_is_no_array(tmp_path):
    from polygraphy.json import from_json

    text = to_json(np.arange(5.0))
    at = text.index("k05V")
    for junk in (" ", "<", "="):
        with pytest.raises(ValueError):
            from_json(text[: at + 50] + junk + text[at + 50 :])


def test_text_that_only_begins_like_an_array_stays_text(tmp_path):
    import base64

    # A header of NumPy's that ends within a bracket: no ValueError, but a TokenError.
    text = base64.b64encode(b"\x93NUMPY\x01\x00\x06\x00{'a':(" + bytes(1 << 17)).decode()
    path = str(tmp_path / "x.json")
    save_json({"array": text}, path)
    assert load_json(path) == {"array": text}


class Kept:
    def __init__(self, array):
        self.array = array


def test_text_of_a_users_type_that_looks_like_an_array_stays_text(tmp_path):
    Encoder.register(Kept)(lambda kept: {"array": kept.array})
    Decoder.register(Kept)(lambda dct: Kept(dct["array"]))
    path = str(tmp_path / "x.json")
    import json

    text = json.loads(to_json(large()))["array"]
    save_json([Kept(text), {"array": text}, "@0:0"], path)
    kept, dct, token = load_json(path)
    assert kept.array == text and dct["array"] == text and token == "@0:0"


@pytest.mark.parametrize("damage", ["cut", "no base64"])
def test_damaged_arrays_are_errors(tmp_path, damage):
    path = tmp_path / "x.json"
    save_json(large(), str(path))
    text = path.read_text()
    path.write_text(text[:5000] if damage == "cut" else text[:5000] + "!!!!" + text[5004:])
    with pytest.raises(ValueError):
        load_json(str(path))


def test_a_file_is_replaced_when_all_of_it_is_written(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("old")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to("x.json")
    with pytest.raises(TypeError):
        save_json({"x": large(), "y": object()}, str(link))
    with pytest.raises(TypeError):
        util.save_file(5, str(link), "w")
    assert path.read_text() == "old"
    util.save_file("new", str(link), "w")
    assert link.is_symlink() and path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.json", "x.json"]


def test_what_is_no_regular_file_is_written_through():
    util.save_file(b"x", "/dev/null")
    save_json([large()], "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_disk_is_an_error():
    with pytest.raises(OSError, match="No space left"):
        save_json([large()], "/dev/full")
