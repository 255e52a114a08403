"""Inputs and results in binary files, exchanged with NumPy and onnx in both directions. The original lacks this."""
import json
import struct

import ml_dtypes
import numpy as np
import onnx
import pytest
from harness import run_ours
from models import identity, many_inputs, save
from onnx import TensorProto as T
from onnx import helper, numpy_helper

TWO = [("a", T.FLOAT, (2, 3)), ("b", T.INT64, (4,))]


def run(args, folder, code=0):
    result = run_ours(args, folder)
    assert result.code == code, result.stdout + result.stderr
    return result


def arrays(seed=0):
    rng = np.random.default_rng(seed)
    return {"a": rng.random((2, 3), dtype=np.float32), "b": rng.integers(0, 9, 4)}


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, array in tensors.items():
        kind = {np.dtype(np.float32): "F32", np.dtype(np.int64): "I64"}[array.dtype]
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write(folder, form, tensors):
    """The arguments of --load-inputs."""
    if form == "npz":
        np.savez(folder / "in.npz", **tensors)
    elif form == "compressed npz":
        np.savez_compressed(folder / "in.npz", **tensors)
    elif form == "safetensors":
        write_safetensors(folder / "in.safetensors", tensors)
        return ["in.safetensors"]
    elif form == "npy":
        for name, array in tensors.items():
            np.save(folder / f"{name}.npy", array)
        return [f"{name}.npy" for name in tensors]
    elif form == "pb":
        (folder / "data" / "test_data_set_0").mkdir(parents=True)
        for i, (name, array) in enumerate(tensors.items()):
            (folder / "data" / "test_data_set_0" / f"input_{i}.pb").write_bytes(numpy_helper.from_array(array, name).SerializeToString())
        return ["data"]
    elif form == "raw":
        for name, array in tensors.items():
            (folder / f"{name}.bin").write_bytes(array.tobytes())
        return [f"{n}.bin:{n}:[{','.join(map(str, a.shape))}]:{a.dtype}" for n, a in tensors.items()]
    return ["in.npz"]


@pytest.mark.parametrize("form", ["npz", "compressed npz", "safetensors", "npy", "pb", "raw"])
def test_inputs_of_every_format(tmp_path, form):
    model, expected = many_inputs(tmp_path / "m.onnx", TWO), arrays()
    run(["run", model, "--onnxrt", "--load-inputs", *write(tmp_path, form, expected), "--save-outputs", "o.npz"], tmp_path)
    saved = np.load(tmp_path / "o.npz")
    for name, array in expected.items():
        np.testing.assert_array_equal(saved[f"0/0/{name}_out"], array)


@pytest.mark.parametrize("extension", ["npz", "safetensors"])
def test_results_come_back(tmp_path, extension):
    model = many_inputs(tmp_path / "m.onnx", TWO)
    files = ["--save-inputs", f"i.{extension}", "--save-outputs", f"o.{extension}"]
    run(["run", model, "--onnxrt", "--onnxrt", "--iterations", "20", *files], tmp_path)
    done = run(["run", model, "--onnxrt", "--load-inputs", f"i.{extension}", "--load-outputs", f"o.{extension}"], tmp_path)
    assert done.stdout.count("Passed: 20/20 iterations | Pass Rate: 100.00%") == 2
    run(["data", "merge", f"i.{extension}", f"o.{extension}", "-o", "merged.json"], tmp_path)
    run(["data", "concat", "merged.json", "merged.json", "-o", f"twice.{extension}"], tmp_path)
    assert "==== Data (40 iterations) ====" in run(["inspect", "data", f"twice.{extension}"], tmp_path).stdout


def test_numpy_reads_results(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", TWO)
    run(["run", model, "--onnxrt", "--iterations", "2", "--save-outputs", "o.npz", "--save-inputs", "i.npz"], tmp_path)
    inputs, outputs = np.load(tmp_path / "i.npz"), np.load(tmp_path / "o.npz")
    about = json.loads(str(outputs["__metadata__"]))
    assert [len(r["runtimes"]) for r in about["runners"]] == [2]
    for i in range(2):
        np.testing.assert_array_equal(inputs[f"{i}/a"], outputs[f"{i}/0/a_out"])


@pytest.mark.parametrize("dtype, numpy_type", [(T.BFLOAT16, ml_dtypes.bfloat16), (T.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn)])
def test_types_that_numpy_lacks(tmp_path, dtype, numpy_type):
    model = identity(tmp_path / "m.onnx", dtype, opset=21)
    run(["run", model, "--onnxrt", "--save-outputs", "o.npz", "--save-inputs", "i.safetensors"], tmp_path)
    run(["run", model, "--onnxrt", "--load-inputs", "i.safetensors", "--load-outputs", "o.npz"], tmp_path)
    values = np.load(tmp_path / "o.npz")["0/0/y"].view(numpy_type).astype(np.float32)
    assert 0 < values.mean() < 1


@pytest.mark.parametrize("extension", ["json", "npz", "safetensors"])
def test_texts_nibbles_and_sequences(tmp_path, extension):
    graph = helper.make_graph(
        [helper.make_node("Identity", ["t"], ["t_out"]), helper.make_node("DequantizeLinear", ["q", "s"], ["q_out"]),
         helper.make_node("SequenceAt", ["list", "i"], ["item"]), helper.make_node("SequenceConstruct", ["item", "s"], ["list_out"])], "g",
        [helper.make_tensor_value_info("t", T.STRING, (2,)), helper.make_tensor_value_info("q", T.INT4, (3,)),
         helper.make_tensor_value_info("s", T.FLOAT, ()), helper.make_tensor_sequence_value_info("list", T.FLOAT, None),
         helper.make_tensor_value_info("i", T.INT64, ())],
        [helper.make_tensor_value_info("t_out", T.STRING, (2,)), helper.make_tensor_value_info("q_out", T.FLOAT, (3,)),
         helper.make_tensor_sequence_value_info("list_out", T.FLOAT, None)])
    model = save(graph, tmp_path / "m.onnx", opset=21)
    values = {"t": np.array(["a", "bc"], dtype=object), "s": np.float32(0.5), "i": np.int64(1),
              "list": [np.zeros(2, np.float32), np.ones(3, np.float32)]}
    (tmp_path / "d").mkdir()
    for name, value in values.items():
        proto = numpy_helper.from_list(value, name) if isinstance(value, list) else numpy_helper.from_array(np.asarray(value), name)
        (tmp_path / "d" / f"{name}.pb").write_bytes(proto.SerializeToString())
    (tmp_path / "d" / "q.pb").write_bytes(helper.make_tensor("q", T.INT4, [3], [-8, 0, 7]).SerializeToString())
    files = ["--save-inputs", f"i.{extension}", "--save-outputs", f"o.{extension}"]
    run(["run", model, "--onnxrt", "--load-inputs", "d", *files], tmp_path)
    done = run(["run", model, "--onnxrt", "--load-inputs", f"i.{extension}", "--load-outputs", f"o.{extension}"], tmp_path)
    for name in ("t_out", "q_out", "list_out[0]", "list_out[1]"):
        assert f"Comparing Output: '{name}'" in done.stdout
    shown = run(["inspect", "data", f"i.{extension}", "--tensors", "q", "--show-values"], tmp_path).stdout
    assert "q [dtype=int4, shape=(3,)]" in shown and "[-8" in shown


def test_data_of_the_onnx_package(tmp_path):
    import os
    folder = os.path.join(os.path.dirname(onnx.__file__), "backend/test/data/pytorch-operator/test_operator_concat2")
    done = run(["run", os.path.join(folder, "model.onnx"), "--onnxrt", "--load-inputs", folder, "--save-outputs", "o.npz"], tmp_path)
    expected = onnx.TensorProto.FromString(open(os.path.join(folder, "test_data_set_0", "output_0.pb"), "rb").read())
    saved = np.load(tmp_path / "o.npz")
    np.testing.assert_allclose(saved[saved.files[0]], numpy_helper.to_array(expected), rtol=1e-5)
    assert "Passed" not in done.stdout


def test_foreign_files_are_messages(tmp_path):
    model = identity(tmp_path / "m.onnx")
    (tmp_path / "x.npz").write_bytes(b"PK\3\4" + b"\0" * 60)
    (tmp_path / "x.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\0" * 60)
    (tmp_path / "x.bin").write_bytes(b"\0" * 7)
    for path, text in (("x.npz", "the zip archive has no directory"), ("x.h5", "unknown format of a file of arrays"),
                       ("x.bin", "7 bytes, but float32 of shape (1, 3, 4) needs 48"), ("x.bin:x:[7]:int3", "Could not understand data type"),
                       ("none.npy", "none.npy")):
        done = run(["run", model, "--onnxrt", "--load-inputs", path], tmp_path, code=1)
        assert text in done.stderr and "Traceback" not in done.stderr
