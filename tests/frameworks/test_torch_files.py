"""Files of torch.save(), written with the real PyTorch and read without it."""
import os
import subprocess

import pytest
from conftest import HERE

NUMPY = ("float64 float32 float16 bfloat16 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool complex64"
         " complex128").split()
FLOAT8 = {"float8_e4m3fn": "float8e4m3fn", "float8_e5m2": "float8e5m2", "float8_e4m3fnuz": "float8e4m3fnuz",
          "float8_e5m2fnuz": "float8e5m2fnuz", "float8_e8m0fnu": "float8e8m0"}


@pytest.fixture(scope="module")
def files(torch_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    done = subprocess.run([torch_python, os.path.join(HERE, "torch_files.py"), str(folder)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return folder


def compare(polygraphy, *files):
    return polygraphy("run", "--load-outputs", *files, "--rtol", "0", "--atol", "0")


@pytest.mark.parametrize("name, tensors", [("strides", 11), ("nested2", 5), ("nested3", 5), ("nested4", 5), ("nested5", 5),
                                           ("state", 2), ("lone", 1)])
def test_tensors_are_those_that_numpy_saves(polygraphy, files, name, tensors):
    ran = compare(polygraphy, files / f"{name}.pt", files / f"{name}.npz")
    assert ran.code == 0, ran.text
    assert ran.text.count("PASSED | Output: ") == tensors, ran.text


def test_all_types(polygraphy, files):
    """Those that NumPy lacks are float32 in the other file."""
    ran = compare(polygraphy, files / "types.pt", files / "types.npz")
    assert ran.code == 0 and ran.text.count("PASSED | Output: ") == 20, ran.text
    text = polygraphy("inspect", "data", files / "types.pt").text
    for name, type in {**{name: name for name in NUMPY}, **FLOAT8}.items():
        assert f"{name} [dtype={type}, shape=(2, 3)]" in text


@pytest.mark.parametrize("name, says", [
    ("module", "'module' is made by torch.nn.modules.linear.Linear, which was not called"),
    ("number", "multiarray.scalar, which was not called"),
    ("quantized", "_rebuild_qtensor, which was not called"),
    ("half_complex", "'h' is of type torch.complex32, which is not supported"),
    ("old", "before PyTorch 1.6"),
    ("script", "a TorchScript program"),
    ("repeated", "'x[0]', of shape (536870912,), repeats the 4 bytes of its storage to 2147483648"),
])
def test_what_is_no_tensor_is_told_in_a_line(polygraphy, files, name, says):
    ran = polygraphy("inspect", "data", files / f"{name}.pt")
    assert ran.code == 1 and says in ran.text and "Traceback" not in ran.text, ran.text


def test_traps_in_dumps(polygraphy, files, torch_python, tmp_path):
    """A buffer that was saved before its layer wrote into it."""
    script = ("import torch; right = {f'layers.{i}': torch.randn(8, 16) for i in range(3)}; torch.save(right, 'right.pt'); "
              "torch.save(right | {'layers.1': torch.zeros(8, 16)}, 'wrong.pt')")
    subprocess.run([torch_python, "-c", script], cwd=tmp_path, check=True)
    ran = polygraphy("run", "--load-outputs", "right.pt", "wrong.pt")
    assert ran.code == 1 and "Outputs of wrong.pt are all zeros, unlike the other side's: 'layers.1' (1 of 3)" in ran.text, ran.text
    ran = polygraphy("run", "--load-outputs", "right.pt", "right.pt")
    assert ran.code == 0 and "[W] " not in ran.text.replace("[W] No runners", ""), ran.text


def test_folders_of_a_tensor_each_are_one_iteration(polygraphy, torch_python, tmp_path):
    script = ("import os, torch; os.mkdir('dump'); both = {f'layer{i}': torch.full((2,), float(i)) for i in range(2)}; "
              "torch.save(both, 'both.pt'); [torch.save(t, f'dump/{name}.pt') for name, t in both.items()]")
    subprocess.run([torch_python, "-c", script], cwd=tmp_path, check=True)
    ran = compare(polygraphy, "both.pt", "dump")
    assert ran.code == 0 and ran.text.count("PASSED | Output: ") == 2, ran.text


def test_inputs_of_a_model(polygraphy, torch_python, tmp_path):
    import onnx
    text = ('<ir_version: 8, opset_import: ["": 17]> g (float[2] a, seq(float[2]) s) => (float[2] y) '
            '{ i = Constant<value = int64 {1}>() t = SequenceAt(s, i) y = Add(a, t) }')
    onnx.save(onnx.parser.parse_model(text), tmp_path / "m.onnx")
    script = ("import torch; a = torch.tensor([1., 2]); torch.save({'a': a, 's': [a, a * 10]}, 'in.bin'); "
              "torch.save({'y': a * 11}, 'y.pt'); torch.save(a, 'a.pt'); torch.save([a, a * 10], 's.pt')")
    subprocess.run([torch_python, "-c", script], cwd=tmp_path, check=True)
    for files in (["in.bin"], ["a.pt", "s.pt"]):
        ran = polygraphy("run", "m.onnx", "--onnxrt", "--load-inputs", *files, "--load-outputs", "y.pt")
        assert ran.code == 0 and "PASSED | Output: 'y'" in ran.text, ran.text
    ran = polygraphy("data", "to-input", "in.bin", "y.pt", "-o", "all.npz")
    assert ran.code == 0, ran.text
    assert "s[1] [dtype=float32, shape=(2,)]" in polygraphy("inspect", "data", "all.npz").text
