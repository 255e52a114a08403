"""Scripts of TensorRT, which the user's Python builds with: on a double of its module, whose plans a double of the
library runs."""
import fcntl
import os
import subprocess

import pytest
import python_program
from harness import OURS, ROOT, run_ours

DOUBLES = os.path.join(ROOT, "tests", "doubles", "trt_module")
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.environ["POLYGRAPHY"])), "tests", "doubles", "tensorrt")
LIBRARY = ["--trt-lib", os.path.join(LIBRARIES, "10", "libnvinfer.so.10")]
RUNNER = LIBRARY + ["--trt-driver", os.path.join(LIBRARIES, "libcuda.so.1")]

SCRIPTS = """
import tensorrt as trt

def load_network():
    builder = trt.Builder(trt.Logger())
    network = builder.create_network(0)
    trt.OnnxParser(network, builder.logger).parse_from_file("model.onnx")
    network.name = "scripted"
    return builder, network

def no_network():
    pass

def swapped():
    return tuple(reversed(load_network()))

def only_a_builder():
    return load_network()[:1]

def without_a_network():
    return trt.Builder(trt.Logger()), None

def item_of_a_list():
    builder = trt.Builder(trt.Logger())
    network = builder.create_network(0)
    item = network.add_input("x[0]", trt.float32, (-1, 4))
    network.mark_output(network.add_activation(item, trt.ActivationType.RELU).get_output(0))
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

def set_calibrator(builder, network, config):
    class Calibrator(trt.IInt8MinMaxCalibrator):
        def get_batch(self, names):
            return None
    config.int8_calibrator = Calibrator()

def quantize(network):
    network.layers.append(trt.ILayer("q", trt.LayerType.QUANTIZE))
    network.layers[-1]._state.nodes = lambda layer: []

def attend(network):
    network.layers.append(trt.ILayer("attention", trt.LayerType.ATTENTION_INPUT, attention=trt.IAttention("all")))
    network.layers[-1]._state.nodes = lambda layer: []

def fill_disk(network):
    import resource, signal
    trt.Builder.build_serialized_network = lambda *_: b"plan" * 1000
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

def hang(network):
    while True:
        pass

def broken(*args, **kwargs):
    raise ValueError("no such layer")
"""


def save_model_for_double(folder):
    """model.onnx, for tests that the double of TensorRT builds; they are skipped where it is not built."""
    if not os.path.exists(LIBRARY[1]):
        pytest.skip("the double of TensorRT is not built: ninja quick_tests builds it")
    import onnx
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
        g (float[N,4] x) => (float[N,4] y) { a = Add(x, x) y = Relu(a) }""")
    onnx.save(model, str(folder / "model.onnx"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    save_model_for_double(tmp_path)
    (tmp_path / "scripts.py").write_text(SCRIPTS)
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, DOUBLES, python_program.PACKAGES))
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_RECORD", str(tmp_path / "recorded"))
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_BUILD", " ".join(
        [os.environ["POLYGRAPHY"], "convert", "{model}", "-o", "{plan}", "--convert-to", "trt"] + LIBRARY))
    return tmp_path


def told(folder):
    return [line[5:] for line in (folder / "recorded").read_text().splitlines() if line.startswith("trt: ")]


def test_a_network_is_postprocessed(folder):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-network-postprocess-script", "scripts.py",
                       "--fp16", "--pool-limit", "workspace:1M"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "builder.build_serialized_network('postprocessed')" in told(folder)
    assert "config.set_flag(BuilderFlag.FP16)" in told(folder)
    assert "config.set_memory_pool_limit(MemoryPoolType.WORKSPACE, 1048576)" in told(folder)
    assert "profile.set_shape(x, [1, 4], [1, 4], [1, 4])" in told(folder)
    assert (folder / "m.engine").stat().st_size > 0


def test_a_configuration_is_made_and_completed(folder):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-config-script", "scripts.py", "--trt-cpps",
                       "scripts.py:postprocess_config"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert [line for line in told(folder) if line.startswith("config.")] == [
        "config.set_flag(BuilderFlag.INT8)", "config.max_aux_streams = 7"]


def test_a_run_loads_what_python_has_built(folder):
    result = run_ours(["run", "model.onnx", "--onnxrt", "--trt", "--trt-npps", "scripts.py", "--trt-min-shapes", "x:[1,4]",
                       "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes", "x:[3,4]", "--input-shapes", "x:[1,4]",
                       "--save-engine", "kept.engine"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "profile.set_shape(x, [1, 4], [2, 4], [3, 4])" in told(folder)
    assert ("[I] Configuring with profiles:[\n        Profile 0:\n            {x [min=[1, 4], opt=[2, 4], max=[3, 4]]}\n"
            "    ]") in result.stdout, result.stdout
    assert (folder / "kept.engine").stat().st_size > 0
    assert "Without effect" not in result.stdout


@pytest.mark.parametrize("args", [["convert", "scripts.py:load_network", "-o", "m.engine"],
                                  ["run", "scripts.py", "--model-type", "trt-network-script", "--trt"]])
def test_a_script_makes_the_network(folder, args):
    result = run_ours(args + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "builder.build_serialized_network('scripted')" in told(folder)


@pytest.mark.parametrize("args, text", [
    (["--trt-npps", "scripts.py:broken"], "ValueError: no such layer"),
    (["--trt-config-script", "scripts.py:no_config"], "scripts.py: no_config() returned a int, but a builder configuration is needed"),
    (["--trt-config-script", "scripts.py:missing"], "Could not import symbol: missing from script"),
    (["--trt-npps", "scripts.py", "--save-tactics", "t.json"], "--save-tactics cannot be combined with TensorRT scripts"),
    (["--trt-npps", "scripts.py", "--preview-features", "unheard-of"], "PreviewFeature has no 'unheard-of'"),
    (["--trt-npps", "scripts.py", "--int8", "--calib-base-cls", "IInt8MinMaxCalibrator"],
     "--calib-base-cls cannot be combined with TensorRT scripts"),
    (["--trt-npps", "scripts.py", "--compute-capabilities", "8.6"], "--compute-capabilities cannot be combined"),
    (["--trt-npps", "scripts.py", "--plugins", "missing.so"], "Cannot load the plugin library: "),
    (["--trt-npps", "scripts.py", "--load-timing-cache", "."], "is a folder"),
    (["--trt-npps", "."], "is a folder"),
])
def test_what_is_wrong_is_said(folder, args, text):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine"] + args + RUNNER, folder)
    assert result.code == 1
    assert text in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr or "ValueError" in text
    assert not (folder / "m.engine").exists()


@pytest.mark.parametrize("name, found", [("no_network", "a NoneType"), ("swapped", "a INetworkDefinition, a Builder"),
                                         ("only_a_builder", "a Builder"), ("without_a_network", "a Builder, a NoneType")])
def test_a_network_script_that_makes_something_else_is_named(folder, name, found):
    result = run_ours(["convert", f"scripts.py:{name}", "-o", "m.engine"] + RUNNER, folder)
    assert result.code == 1
    assert f"scripts.py: {name}() returned {found}, but a builder and a network are needed" in result.stderr


def test_an_input_whose_name_is_a_pattern_of_others(folder):
    result = run_ours(["convert", "scripts.py:item_of_a_list", "-o", "m.engine"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr


def convert(folder, *args):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", *args, *RUNNER], folder)
    assert result.code == 0, result.stdout + result.stderr
    return result.stdout


def test_what_is_refused_is_refused_before_any_work(folder):
    run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-npps", "scripts.py", "--calibration-cache", "c"] + RUNNER,
             folder)
    assert not (folder / "recorded").exists()


def test_options_that_a_script_replaces_are_named(folder):
    told = convert(folder, "--trt-config-script", "scripts.py", "--fp16", "--save-tactics", "t.json", "--trt-outputs", "*")
    assert "The script makes the whole configuration. Without effect: --fp16, --save-tactics\n" in told
    told = convert(folder, "--trt-config-script", "scripts.py", "--trt-outputs", "*")
    assert "Without effect" not in told


def test_options_that_a_network_script_replaces_are_named(folder):
    result = run_ours(["convert", "scripts.py:load_network", "-o", "m.engine", "--strongly-typed",
                       "--mark-unfused-tensors-as-debug-tensors"] + RUNNER, folder)
    assert result.code == 0
    assert "The script makes the whole network. Without effect: --strongly-typed\n" in result.stdout
    assert "network.mark_unfused_tensors_as_debug_tensors()" in told(folder)


def test_outputs_are_chosen_by_the_type_of_layer(folder):
    convert(folder, "--trt-npps", "scripts.py", "--trt-outputs-by-type", "elementwise")
    assert [line for line in told(folder) if "mark_output" in line] == ["network.unmark_output(y)", "network.mark_output(a)"]


def test_attentions_are_decomposed(folder):
    convert(folder, "--trt-npps", "scripts.py:attend", "--decomposable-attentions")
    assert "attention all.decomposable = True" in told(folder)


def test_the_parser_is_told_of_types_for_dla(folder):
    convert(folder, "--trt-npps", "scripts.py", "--enable-uint8-asymmetric-quantization-dla")
    assert "parser.set_flag(OnnxParserFlag.ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA)" in told(folder)


def test_int8_without_a_calibrator_is_told(folder):
    told = convert(folder, "--trt-npps", "scripts.py", "--int8", "--load-inputs", "scripts.py")
    assert "Int8 has no calibrator" in told
    assert "random inputs, since" not in convert(folder, "--trt-npps", "scripts.py", "--int8")


@pytest.mark.parametrize("scripts", [["--trt-cpps", "scripts.py:set_calibrator"], ["--trt-npps", "scripts.py:quantize"]])
def test_int8_that_needs_no_calibrator_of_ours(folder, scripts):
    assert "calibrat" not in convert(folder, "--int8", *scripts).replace("set_calibrator", "")


@pytest.mark.parametrize("args", [["convert", "model.onnx", "-o", "m.engine"], ["run", "model.onnx", "--trt"]])
def test_a_build_that_hangs_ends(folder, args):
    result = run_ours([*args, "--trt-npps", "scripts.py:hang", "--timeout", "1"] + RUNNER, folder)
    assert result.code == 1
    assert "exceeded 1 s" in result.stdout + result.stderr


def test_timings_are_kept(folder):
    (folder / "timings").write_bytes(b"old\n")
    log = convert(folder, "--trt-npps", "scripts.py", "--save-timing-cache", "timings",
                  "--load-timing-cache", "timings")
    for line in ("Loading tactic timing cache from", "Saving tactic timing cache to"):
        assert "[I] %s timings\n" % line in log
    assert (folder / "timings").read_bytes() == b"old\nbuilt postprocessed"


def test_timings_of_two_builds_at_once_are_kept(folder):
    """While another build holds the file, this one waits; then it has what that one wrote."""
    (folder / "timings").write_bytes(b"old\n")
    command = [OURS, "convert", "model.onnx", "-o", "m.engine", "--trt-npps", "scripts.py", "--save-timing-cache", "timings"]
    with open(folder / "timings.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build = subprocess.Popen(command + RUNNER, cwd=folder, stdout=subprocess.PIPE, text=True)
        for line in build.stdout:
            if "Finished engine building" in line:
                break
        (folder / "timings").write_bytes(b"of another build\n")
    assert build.wait() == 0
    build.stdout.close()
    assert (folder / "timings").read_bytes() == b"of another build\nbuilt postprocessed"


def test_a_full_disk_is_told_with_the_file(folder):
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-npps", "scripts.py:fill_disk"] + RUNNER, folder)
    assert result.code == 1
    assert "m.engine' (" in result.stdout + result.stderr
    assert "File too large" in result.stdout + result.stderr
    assert not (folder / "m.engine").exists()


def test_an_engine_is_not_built_again(folder):
    convert(folder)
    result = run_ours(["run", "m.engine", "--trt", "--trt-npps", "scripts.py:broken"] + RUNNER, folder)
    assert result.code == 0, result.stdout + result.stderr
    assert "The model is already an engine. Options without effect: --trt-network-postprocess-script" in result.stdout


def test_tensorrt_rtx_has_a_module_of_its_own(folder, monkeypatch):
    (folder / "rtx").mkdir()
    (folder / "rtx" / "tensorrt_rtx.py").write_text(
        f"import sys\nsys.path.append({DOUBLES!r})\nfrom tensorrt import *\nfrom tensorrt import __version__\n")
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(folder, folder / "rtx", python_program.PACKAGES))
    (folder / "rtx.py").write_text("def postprocess(network):\n    network.name = 'of rtx'\n")
    convert(folder, "--trt-npps", "rtx.py")
    assert "builder.build_serialized_network('of rtx')" in told(folder)


def test_a_python_without_tensorrt_is_named(folder, monkeypatch):
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(folder, python_program.PACKAGES))
    result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--trt-npps", "scripts.py"] + RUNNER, folder)
    assert result.code == 1
    assert "need its Python module" in result.stdout + result.stderr
