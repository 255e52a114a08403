"""Scripts of TensorRT, which the user's Python builds with: on a double of its module, whose plans a double of the
library runs."""
import os

import pytest
import python_program
from harness import ROOT, run_ours

DOUBLES = os.path.join(ROOT, "tests", "doubles")
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.environ["POLYGRAPHY"])), "tests", "doubles", "tensorrt")
LIBRARY = ["--trt-lib", os.path.join(LIBRARIES, "10", "libnvinfer.so.10")]
RUNNER = LIBRARY + ["--trt-driver", os.path.join(LIBRARIES, "libcuda.so.1")]

SCRIPTS = """
import tensorrt as trt

def load_network():
    builder = trt.Builder(trt.ILogger())
    network = builder.create_network(0)
    network.model, network.name = "model.onnx", "scripted"
    return builder, network

def postprocess(network):
    network.name = "postprocessed"

def load_config(builder, network):
    config = builder.create_builder_config()
    config.set_flag(trt.BuilderFlag.INT8)
    return config

def no_config(builder, network):
    return 3

def postprocess_config(builder, network, config):
    config.max_aux_streams = 7

def broken(*args, **kwargs):
    raise ValueError("no such layer")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    if not os.path.exists(LIBRARY[1]):
        pytest.skip("the double of TensorRT is not built: ninja quick_tests builds it")
    import onnx
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
        g (float[N,4] x) => (float[N,4] y) { y = Relu(x) }""")
    onnx.save(model, str(tmp_path / "model.onnx"))
    (tmp_path / "scripts.py").write_text(SCRIPTS)
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, DOUBLES, python_program.PACKAGES))
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_RECORD", str(tmp_path / "recorded"))
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_BUILD", " ".join(
        [os.environ["POLYGRAPHY"], "convert", "{model}", "-o", "{plan}", "--convert-to", "trt"] + LIBRARY))
    return tmp_path


def told(folder):
    return [line[8:] for line in (folder / "recorded").read_text().splitlines() if line.startswith("python: ")]


def test_a_network_is_postprocessed(folder):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-network-postprocess-script", "scripts.py",
                       "--fp16", "--pool-limit", "workspace:1M"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "build of postprocessed" in told(folder)
    assert "config.set_flag(0)" in told(folder)
    assert "config.set_memory_pool_limit(0, 1048576)" in told(folder)
    assert "profile x [1, 4] [1, 4] [1, 4]" in told(folder)
    assert (folder / "m.engine").stat().st_size > 0


def test_a_configuration_is_made_and_completed(folder):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-config-script", "scripts.py", "--trt-cpps",
                       "scripts.py:postprocess_config"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert [line for line in told(folder) if line.startswith("config")] == [
        "config.set_flag(1)", "config.max_aux_streams = 7"]


def test_a_run_loads_what_python_has_built(folder):
    result = run_ours(["run", "model.onnx", "--onnxrt", "--trt", "--trt-npps", "scripts.py", "--trt-min-shapes", "x:[1,4]",
                       "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes", "x:[3,4]", "--input-shapes", "x:[1,4]",
                       "--save-engine", "kept.engine"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "profile x [1, 4] [2, 4] [3, 4]" in told(folder)
    assert (folder / "kept.engine").stat().st_size > 0
    assert "Without effect" not in result.stdout


@pytest.mark.parametrize("args", [["convert", "scripts.py:load_network", "-o", "m.engine"],
                                  ["run", "scripts.py", "--model-type", "trt-network-script", "--trt"]])
def test_a_script_makes_the_network(folder, args):
    result = run_ours(args + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "build of scripted" in told(folder)


@pytest.mark.parametrize("args, text", [
    (["--trt-npps", "scripts.py:broken"], "ValueError: no such layer"),
    (["--trt-config-script", "scripts.py:no_config"], "returned a int, where a builder configuration is needed"),
    (["--trt-config-script", "scripts.py:missing"], "Could not import symbol: missing from script"),
    (["--trt-npps", "scripts.py", "--save-tactics", "t.json"], "--save-tactics is not possible beside scripts"),
    (["--trt-npps", "scripts.py", "--bf16"], "BuilderFlag has no 'BF16'"),
])
def test_what_is_wrong_is_said(folder, args, text):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine"] + args + RUNNER, folder)
    assert result.code == 1
    assert text in result.stdout + result.stderr
    assert not (folder / "m.engine").exists()


def test_a_python_without_tensorrt_is_named(folder, monkeypatch):
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(folder, python_program.PACKAGES))
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-npps", "scripts.py"] + RUNNER, folder)
    assert result.code == 1
    assert "need its Python module" in result.stdout + result.stderr
