"""Scripts for TensorRT: neither tool needs it to write them."""
import pytest
from generated_scripts import compare
from harness import both
from onnx import TensorProto as T
from onnx import helper, save


@pytest.fixture
def folder(tmp_path):
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [helper.make_tensor_value_info("x", T.FLOAT, ["N", 4])],
                              [helper.make_tensor_value_info("y", T.FLOAT, ["N", 4])])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(tmp_path / "m.onnx"))
    (tmp_path / "net.py").write_text("def load_network(): pass\ndef other(): pass\n")
    (tmp_path / "e.engine").write_bytes(b"plan")
    return tmp_path


CONFIGS = [
    [],
    ["--fp16", "--tf32", "--bf16", "--fp8", "--sparse-weights", "--refittable", "--strip-plan", "--direct-io", "--weight-streaming",
     "--use-dla", "--allow-gpu-fallback", "--trt-safety-restricted", "--disable-compilation-cache"],
    ["--int8"],
    ["--int8", "--calibration-cache", "c.cache", "--calib-base-cls", "IInt8MinMaxCalibrator", "--quantile", "0.25", "--seed", "3"],
    ["--int8", "--data-loader-script", "net.py:other", "--regression-cutoff", "0.5"],
    ["--precision-constraints", "obey"],
    ["--precision-constraints", "none"],
    ["--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes", "x:[8,4]"],
    ["--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes", "x:[8,4]",
     "--trt-min-shapes", "x:[3,4]", "--trt-opt-shapes", "x:[3,4]", "--trt-max-shapes", "x:[3,4]"],
    ["--input-shapes", "x:[5,4]"],
    ["--input-shapes", "x:[N,4]"],
    ["--input-shapes", "x:[5,4]", "--trt-max-shapes", "x:[9,4]"],
    ["--load-timing-cache", "t.cache", "--error-on-timing-cache-miss"],
    ["--save-tactics", "t.json"],
    ["--load-tactics", "t.json"],
    ["--tactic-sources", "cublas", "CUDNN"],
    ["--tactic-sources"],
    ["--pool-limit", "workspace:1G", "dla_local_dram:1.5M"],
    ["--preview-features", "aliased_plugin_io_10_03"],
    ["--builder-optimization-level", "4", "--max-aux-streams", "2", "--profiling-verbosity", "detailed",
     "--runtime-platform", "windows_amd64", "--tiling-optimization-level", "full", "--quantization-flags", "calibrate_before_fusion"],
    ["--version-compatible", "--exclude-lean-runtime"],
    ["--hardware-compatibility-level", "ampere_plus"],
    ["--trt-config-script", "net.py"],
    ["--trt-config-script", "net.py:other", "--trt-config-postprocess-script", "net.py"],
    ["--trt-cpps", "net.py:other"],
]
NETWORKS = [
    [],
    ["--plugins", "a.so", "b.so"],
    ["--onnx-flags", "native_instancenorm"],
    ["--plugin-instancenorm", "--enable-uint8-asymmetric-quantization-dla"],
    ["--trt-outputs", "y", "t_*", "--trt-exclude-outputs", "z"],
    ["--trt-outputs", "mark", "all"],
    ["--trt-outputs", "*"],
    ["--trt-outputs-by-type", "CONVOLUTION"],
    ["--layer-precisions", "conv:float16", "other:int8"],
    ["--decomposable-attentions", "--strongly-typed", "--mark-unfused-tensors-as-debug-tensors"],
    ["--tensor-dtypes", "x:float16", "--tensor-formats", "x:[linear,chw4]", "y:[chw16]"],
    ["--all-tensor-dtypes", "float16", "--all-tensor-formats", "linear", "chw2"],
    ["--mark-debug", "y", "t"],
    ["--trt-npps", "net.py", "net.py:other"],
    ["--onnx-outputs", "y"],
]
ENGINES = [
    ["--save-engine", "out.engine", "--save-timing-cache", "t.cache"],
    ["--load-runtime", "net.py"],
    ["--dla-workspace-allocation-strategy", "shared_static"],
    ["--optimization-profile", "1", "--allocation-strategy", "runtime"],
    ["--weight-streaming-budget", "25%"],
    ["--weight-streaming-budget", "1.5G"],
    ["--weight-streaming-budget", "-1"],
    ["--plugins", "a.so", "--save-engine", "out.engine"],
    ["--onnxrt"],
    ["--onnxrt", "--onnx-outputs", "y", "--fp16"],
    ["--shape-inference"],
]


@pytest.mark.parametrize("options", CONFIGS + NETWORKS + ENGINES, ids=" ".join)
def test_run(folder, options):
    runners, _ = compare(["run", "m.onnx", "--trt", *options], folder, "--gen-script")
    assert any("TrtRunner(EngineFromBytes(" in runner for runner in runners)


@pytest.mark.parametrize("model", [["e.engine"], ["e.engine", "--plugins", "a.so"], ["net.py"], ["net.py", "--fp16"]], ids=" ".join)
def test_engines_and_network_scripts(folder, model):
    compare(["run", *model, "--trt"], folder, "--gen-script")


@pytest.mark.parametrize("options", CONFIGS, ids=" ".join)
def test_template_trt_config(folder, options):
    _, functions = compare(["template", "trt-config", "m.onnx", *options], folder, "-o")
    assert list(functions) == ["load_config"]


@pytest.mark.parametrize("options", NETWORKS, ids=" ".join)
def test_template_trt_network(folder, options):
    _, functions = compare(["template", "trt-network", "m.onnx", *options], folder, "-o")
    assert list(functions) == ["load_network"]


@pytest.mark.parametrize("command", ["trt-network", "trt-config"])
def test_templates_without_a_model(folder, command):
    compare(["template", command], folder, "-o")


@pytest.mark.parametrize("options", [
    ["--exclude-lean-runtime"],
    ["--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "y:[1,4]"],
    ["--tactic-sources", "os.system"],
    ["--pool-limit", "1G"],
    ["--weight-streaming-budget", "120%"],
], ids=" ".join)
def test_what_cannot_be(folder, options):
    ours, original = both(["run", "m.onnx", "--trt", *options, "--gen-script", "-"], folder)
    assert original.code != 0
    assert ours.code == 1 and "[!]" in ours.stderr and ours.stdout.count("import") == 0
