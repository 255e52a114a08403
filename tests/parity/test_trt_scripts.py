"""Scripts for TensorRT: what they make is the same as what the original's scripts make.

Neither needs TensorRT to be written. Both are executed where every loader, runner and enumerator is a record of how it
was made.
"""
import builtins
import re

import pytest
from harness import both, run_original, run_ours
from onnx import TensorProto as T
from onnx import helper, save

# What is recorded instead of imported.
RECORDED = ("polygraphy.backend", "polygraphy.comparator", "polygraphy.tools")


class Record:
    """A name, or a call, with everything that it was given."""

    def __init__(self, text):
        self.text = text

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Record(f"{self.text}.{name}")

    def __call__(self, *args, **kwargs):
        given = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in sorted(kwargs.items())]
        return Record(f"{self.text}({', '.join(given)})")

    def __repr__(self):
        return self.text

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __bool__(self):
        return True


class Mod:
    @staticmethod
    def lazy_import(name, **_):
        return Record({"tensorrt": "trt", "onnxruntime": "onnxrt"}[re.match(r"\w+", name).group()])

    @staticmethod
    def import_from_script(path, name):
        return Record(f"import_from_script({path!r}, {name!r})")


class Func:
    def __init__(self):
        self.extended = {}

    def extend(self, loader):
        def note(function):
            self.extended[function.__name__] = (repr(loader), function.__code__.co_varnames)
            return function
        return note


def executed(script):
    """The runners and extended functions that a script makes."""
    func = Func()

    def recording_import(name, globals=None, locals=None, names=(), level=0):
        if name == "polygraphy":
            return type("polygraphy", (), {"mod": Mod, "func": func, "constants": Record("constants")})
        if name.startswith(RECORDED) or name.startswith("polygraphy."):
            return type("module", (), {n: Record(n) for n in names})
        if re.match("tensorrt", name):
            return Record("trt")
        return builtins.__import__(name, globals, locals, names, level)

    space = {"__builtins__": {**vars(builtins), "__import__": recording_import}}
    # Up to where runners are run.
    exec(script.split("\n# Runner Execution")[0].split("\nCOMMAND_LINE")[0], space)
    return [repr(r) for r in space.get("runners", [])], func.extended


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


RUNS = (run_ours, run_original)


def compare(args, folder, option):
    made = []
    for run, name in zip(RUNS, ("ours.py", "theirs.py")):
        result = run([*args, option, name], str(folder))
        assert result.code == 0, result.stdout + result.stderr
        made.append(executed((folder / name).read_text()))
    assert made[0] == made[1]
    return made[0]


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
