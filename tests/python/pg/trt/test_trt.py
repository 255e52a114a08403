"""GPU memory, and functions on networks and engines, on doubles of `tensorrt` and of libcudart.

The scripts in `cases` print the same with both packages, the calls on the doubles included.
The scripts below, which only this package runs, test intended differences.
"""

from pathlib import Path

import pytest

from differential import needs_originals, run, same
from doubles import DOUBLES, cudart_double

CASES = Path(__file__).parent / "cases"
NO_VERSION = [""]
VERSIONS = {
    "algorithm_selector": ["8.6.1", "10.9.0"],
    "calibrator": ["8.6.1", "10.9.0"],
    "configurations": ["8.6.1", "9.3.0", "10.9.0", "11.3.0"],
    "cuda": NO_VERSION,
    "engines": ["9.3.0", "10.9.0", "11.3.0"],
    "file_reader": ["10.3.0", "10.9.0", "11.3.0"],
    "networks": ["9.3.0", "10.9.0", "11.3.0"],
    "profiles": ["10.9.0"],
}


def test_every_case_is_run():
    assert sorted(VERSIONS) == sorted(path.stem for path in CASES.glob("*.py"))


@needs_originals
@pytest.mark.parametrize(
    "name, version", [(name, version) for name, each in VERSIONS.items() for version in each]
)
def test_prints_what_the_original_prints(name, version, tmp_path, cudart):
    environment = {**cudart, "PG_TENSORRT_DOUBLE_VERSION": version} if version else cudart
    script = CASES / f"{name}.py"
    printed, _ = same(script, tmp_path, environment=environment, more=[DOUBLES])
    assert len(printed) > 20


@pytest.fixture
def lines(tmp_path, cudart):
    """A function that runs a script with this package, and returns the lines it prints."""

    def run_script(text: str, **environment) -> list:
        out, _ = run(text, tmp_path / "folder", True, {**cudart, **environment}, [DOUBLES])
        # Said with the first message, where that module is missing.
        return [line for line in out.splitlines() if "'colored' module" not in line]

    return run_script


# The CUDA runtime

SETUP = """
import gc
import cudart_double, numpy as np
from polygraphy import cuda, util
from polygraphy.datatype import DataType
def live():
    gc.collect()
    print(*cudart_double.live())
"""


def test_what_goes_away_is_freed(lines):
    script = """
array, stream = cuda.DeviceArray((4,)), cuda.Stream()
live()
view = array.view((2,)).view((1,))
del array
live()
del view, stream
live()
# A constructor that fails leaves nothing either.
cudart_double.fail_next(2)
try: cuda.DeviceArray((4,))
except Exception: print("failed")
try: cuda.Stream.__new__(cuda.Stream).__del__()
except Exception as err: print(err)
live()
"""
    assert lines(SETUP + script) == ["1 1", "1 1", "0 0", "failed", "0 0"]


def test_what_is_freed_once_is_not_freed_again(lines):
    script = """
stream, array = cuda.Stream(), cuda.DeviceArray((4,))
stream.free(); stream.free(); array.free()
print([call for call in cudart_double.calls() if "Destroy" in call or "Free(#" in call])
cudart_double.calls()
del stream, array
gc.collect()
print(cudart_double.calls())
"""
    assert lines(SETUP + script) == ["['cudaStreamDestroy(1) = 0', 'cudaFree(#0) = 0']", "[]"]


def test_copies_of_arrays_own_what_they_hold(lines):
    script = """
import copy, pickle
array = cuda.DeviceArray((2,)).copy_from(np.array([1, 2], np.float32))
copies = [copy.copy(array), copy.deepcopy(array), copy.deepcopy(array.view((1,)))]
view = copy.copy(array.view())
array.copy_from(np.zeros(2, np.float32))
print([each.numpy().tolist() for each in copies], view.numpy().tolist())
with cuda.Stream() as stream:
    for function, obj in ((pickle.dumps, array), (pickle.dumps, stream), (copy.copy, stream)):
        try: function(obj)
        except TypeError as err: print(err)
live()
del array, copies, view
live()
"""
    refused = "cannot copy or pickle '{}' object".format
    assert lines(SETUP + script) == [
        "[[1.0, 2.0], [1.0, 2.0], [1.0]] [0.0, 0.0]",
        refused("DeviceArray"),
        refused("Stream"),
        refused("Stream"),
        "4 0",
        "0 0",
    ]


def test_a_failing_runtime_does_not_stop_objects_from_going_away(lines):
    script = """
array = cuda.DeviceArray((4,))
cudart_double.fail_next(4)
del array
print(cudart_double.calls()[-1])
"""
    assert lines(SETUP + script) == ["cudaFree(?) = 4"]


def test_nothing_is_said_at_the_end_of_a_process(lines):
    assert lines(SETUP + "kept = cuda.DeviceArray((4,)), cuda.Stream()\nprint('end')") == ["end"]


def test_elements_of_less_than_eight_bits_take_whole_bytes(lines):
    script = """
for dtype in (DataType.INT4, DataType.FLOAT4):
    array = cuda.DeviceArray((3,), dtype)
    print(array.nbytes, array.allocated_nbytes, array.itemsize, array.view((4,)).nbytes)
    array.copy_from(np.array([1, 2], np.uint8))
    print(array.view((2,), np.uint8).numpy())
    try: array.view((5,))
    except Exception as err: print("refused")
"""
    printed = [line for line in lines(SETUP + script) if not line.startswith("[E]")]
    assert printed == ["2 2 0.5 2", "[1 2]", "refused"] * 2


def test_arrays_on_the_gpu_are_copied_there(lines):
    script = """
a, b = cuda.DeviceArray((2,)), cuda.DeviceArray((2,))
a.copy_from(np.array([1, 2], np.float32))
cudart_double.calls()
b.copy_from(a.view())
print(cudart_double.calls()[0].split(", ")[-1], b.numpy())
print(util.array.view(b.view(), DataType.INT32, (2,)).numpy())
"""
    expected = ["DeviceToDevice) = 0 [1. 2.]", "[1065353216 1073741824]"]
    assert lines(SETUP + script) == expected


def test_a_runtime_that_cannot_be_loaded_is_an_error_with_reasons(tmp_path, lines):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "libcudart.so.12").write_text("no library")
    script = """
from polygraphy import cuda
try: cuda.wrapper()
except Exception as err: print(type(err).__name__, str(err).replace("\\n", " "))
"""
    [*_, last] = lines(script, LD_LIBRARY_PATH=str(broken))
    assert last.startswith("PolygraphyException Could not load the CUDA runtime library.")
    assert "libcudart.so.12: file too short" in last


def test_the_newest_runtime_that_can_be_loaded_is_taken(tmp_path, lines):
    folder = tmp_path / "several"
    folder.mkdir()
    cudart_double.build(folder)
    library = (folder / "libcudart.so").rename(folder / "libcudart.so.9")
    for version in ("12", "13"):
        (folder / f"libcudart.so.{version}").write_bytes(library.read_bytes())
    (folder / "libcudart.so.14").write_text("no library")
    script = "from polygraphy import cuda\nprint(cuda.wrapper().handle._name.split('.')[-1])"
    assert lines(script, LD_LIBRARY_PATH=str(folder)) == ["13"]


def test_runtimes_of_wheels_are_found(tmp_path, lines):
    for package in ("cuda_runtime", "cu13"):
        folder = tmp_path / package / "nvidia" / package / "lib"
        folder.mkdir(parents=True)
        cudart_double.build(folder)
    script = f"""
import sys
from polygraphy import cuda
for package in ("cuda_runtime", "cu13"):
    sys.path[:0] = [{str(tmp_path)!r} + "/" + package]
    print(cuda.Cuda().handle._name.split("/")[-3])
"""
    assert lines(script, LD_LIBRARY_PATH="") == ["cuda_runtime", "cu13"]


# Networks and profiles

NETWORK = """
import tensorrt as trt
from polygraphy.backend.trt import Profile, util
def network(*names, shape=(-1,)):
    net = trt.INetworkDefinition()
    net.inputs = [trt.ITensor(name, trt.float32, shape) for name in names]
    net.layers = [trt.ILayer("all", trt.LayerType.IDENTITY, net.inputs, [])]
    return net
"""


@pytest.mark.parametrize("seed", ["0", "1", "2"])  # the original goes by the order of a set
def test_a_name_goes_before_patterns_and_later_patterns_before_earlier_ones(seed, lines):
    script = """
class Builder:
    def create_optimization_profile(self): return trt.IOptimizationProfile()
profile = Profile()
for n, name in enumerate(["x*", "xy", "*y", "x[0]"], 1):
    profile.add(name, (n,), (n,), (n,))
profile.to_trt(Builder(), network("xy", "xx", "xyy", "x[0]"))
"""
    expected = [
        f"trt: profile.set_shape({name}, ({n},), ({n},), ({n},))"
        for name, n in (("xy", 2), ("xx", 1), ("xyy", 3), ("x[0]", 4))
    ]
    assert lines(NETWORK + script, PYTHONHASHSEED=seed) == expected


def test_patterns_mark_tensors_in_the_order_of_the_network(lines):
    script = """
names = [f"t{i}" for i in range(20)]
net = network(*names)
util.mark_outputs(net, ["t*"])
print([output.name for output in net.outputs] == names, list(util.get_all_tensors(net)) == names)
"""
    assert lines(NETWORK + script)[-1] == "True True"


def test_a_name_of_a_tensor_is_no_pattern(lines):
    script = """
net = network("x[0]", "x0", "a*", "ab")
for names in (["x[0]"], ["a*"], ["a?"]):
    util.mark_outputs(net, names)
    print([output.name for output in net.outputs])
"""
    printed = [line for line in lines(NETWORK + script) if line.startswith("[")]
    assert printed == ["['x[0]']", "['a*']", "['a*', 'ab']"]


def test_shapes_may_be_lists(lines):
    script = """
print(util.get_hwc_shape_from_chw([1, 2, 3, 4]), util.get_chw_shape_from_hwc([2, 3, 4]))
"""
    assert lines(NETWORK + script) == ["(1, 3, 4, 2) (4, 2, 3)"]


def test_static_networks_are_calibrated_without_a_profile(lines):
    script = """
class Calibrator:
    is_polygraphy_calibrator = True
    def set_input_metadata(self, input_metadata): print(input_metadata)
class Config:
    int8_calibrator = Calibrator()
    def get_calibration_profile(self): return None
util.try_setup_polygraphy_calibrator(Config(), network("x"))
"""
    assert lines(NETWORK + script) == ["{x [dtype=float32, shape=(-1,)]}"]


def test_kinds_of_layers_without_a_class_are_no_failure(lines):
    script = """
del trt.IPoolingLayer
mapping = util.get_layer_class_mapping()
print(trt.LayerType.POOLING in mapping, mapping[trt.LayerType.PLUGIN_V3].__name__)
"""
    assert lines(NETWORK + script) == ["False IPluginV3Layer"]


def test_old_versions_have_untyped_networks(lines):
    script = "print(util.str_from_network(network()).splitlines()[0])"
    printed = lines(NETWORK + script, PG_TENSORRT_DOUBLE_VERSION="8.6.1")
    assert printed == ["Name:  | Explicit Batch Network"]


def test_what_the_logger_raises_stays_in_it(lines):
    script = """
from polygraphy.logger import G_LOGGER
def fail(*args, **kwargs): raise ValueError("in a handler")
G_LOGGER.error = fail
util.get_trt_logger().log(trt.ILogger.ERROR, "message")
print("still here")
"""
    assert lines(NETWORK + script) == ["still here"]


# Engines

ENGINE = """
import json, tensorrt as trt
from polygraphy.backend.trt import util
from polygraphy.comparator import IterationResult, RunResults
import numpy as np
class Engine:
    name, refittable, device_memory_size, num_io_tensors = "e", False, 1, 0
    profiling_verbosity = trt.ProfilingVerbosity.DETAILED
    def __init__(self, layers, profiles=1):
        self.texts, self.num_layers, self.num_optimization_profiles = layers, len(layers), profiles
    def create_engine_inspector(self): return self
    def get_layer_information(self, index, format): return self.texts[index]
def layers(*texts, profiles=1, **options):
    text = util.str_from_engine(Engine(texts, profiles), None, show_layers=True, **options)
    print(text[text.rindex("----\\n") + 5:].rstrip())
def of_format(text):
    layers(json.dumps({"Inputs": [{"Name": "x", "Dimensions": [1], "Format/Datatype": text}]}))
"""


@pytest.mark.parametrize(
    "text, dtype",
    [
        ("BF16", "bfloat16"),
        ("FP8", "float8e4m3fn"),
        ("float8", "float8e4m3fn"),
        ("E8M0", "float8e8m0"),
        ("FP4", "float4"),
        ("float16", "float16"),
        ("UINT8", "uint8"),
    ],
)
def test_data_types_of_layers(text, dtype, lines):
    [_, ports] = lines(ENGINE + f"of_format({text!r})")
    assert ports == f"    {{x [dtype={dtype}, shape=(1,), Format: {text}]}} -> {{}}"


def test_engines_that_tell_little(lines):
    script = """
layers("", "a name", '"another"', '{"Name": "n", "Inputs": [{"Dimensions": [1]}, {"Name": "x"}]}')
"""
    assert [line for line in lines(ENGINE + script) if line.strip()] == [
        "Layer 0    |  [Op: Unknown]",
        "    {} -> {}",
        "Layer 1    | a name [Op: Unknown]",
        "    {} -> {}",
        "Layer 2    | another [Op: Unknown]",
        "    {} -> {}",
        "Layer 3    | n [Op: Unknown]",
        "    {Unknown [shape=(1,)],",
        "     x} -> {}",
    ]


def test_layers_of_rtx_engines_are_told_for_each_profile(lines):
    script = """
layers('{"Name": "a"}', '{"Name": "a [profile 1]"}', profiles=2)
print(util.trt.__name__)
"""
    printed = lines(ENGINE + script, POLYGRAPHY_USE_TENSORRT_RTX="1")
    assert [line for line in printed if "{} -> {}" not in line and line] == [
        "- Profile: 0",
        "    Layer 0    | a [Op: Unknown]",
        "- Profile: 1",
        "    Layer 0    | a [profile 1] [Op: Unknown]",
        "tensorrt_rtx",
    ]


def test_outputs_without_elements_have_no_values(lines):
    script = """
results = [("r", [IterationResult({"x": np.zeros((0, 2)), "y": np.ones(2)})])]
RunResults(results).save("results.json")
print(list(util.TensorInfo("results.json").tensors))
"""
    assert lines(ENGINE + script)[-1] == "['y']"


def test_vectorized_formats_of_any_rank_and_with_memory_to_spare(lines):
    script = """
class Context:
    def __init__(self, shape, axis): self.shape, self.axis, self.engine = shape, axis, self
    def get_tensor_shape(self, name): return self.shape
    def get_tensor_vectorized_dim(self, name): return self.axis
    def get_tensor_components_per_element(self, name): return 4
    def get_tensor_dtype(self, name): return trt.int8
for shape, axis in (((5, 2, 3), 0), ((2, 5, 2, 2, 2), 1), ((6,), 0)):
    context, array = Context(shape, axis), np.arange(np.prod(shape), dtype=np.int8).reshape(shape)
    there = util.convert_linear_to_vectorized_format(context, "x", array).array
    raw = np.concatenate([there.ravel().view(np.uint8), np.zeros(99, np.uint8)])
    back = util.convert_vectorized_to_linear_format(context, "x", raw)
    print(there.shape, there.ravel()[:8].tolist(), np.array_equal(back, array))
"""
    assert lines(ENGINE + script) == [
        "(2, 2, 3, 4) [0, 6, 12, 18, 1, 7, 13, 19] True",
        "(2, 2, 2, 2, 2, 4) [0, 8, 16, 24, 1, 9, 17, 25] True",
        "(2, 4) [0, 1, 2, 3, 4, 5, 0, 0] True",
    ]


# Calibration, tactics, streams

CALIBRATOR = """
import io
import cudart_double, numpy as np, tensorrt as trt
from polygraphy.backend.trt import *
from polygraphy.common import TensorMetadata
"""


def test_calibration_data_without_an_input_ends(lines):
    script = """
c = Calibrator([{"x": np.ones(2, np.float32)}])
print(c.get_batch(["x", "z"]), cudart_double.live())
"""
    assert lines(CALIBRATOR + script) == ["None (0, 0)"]


def test_buffers_of_a_calibrator_that_goes_away_are_freed(lines):
    script = """
def data():
    yield {"x": np.ones(2, np.float32)}
    raise ValueError("no more")
c = Calibrator(data())
c.get_batch(["x"])
try: c.get_batch(["x"])
except ValueError as err: print(err, cudart_double.live())
del c
print(cudart_double.live())
"""
    assert lines(CALIBRATOR + script) == ["no more (1, 0)", "(0, 0)"]


def test_metadata_given_to_a_calibrator_stays_as_it_is(lines):
    script = """
meta = TensorMetadata().add("x", np.float16, (1,))
c = Calibrator([])
c.set_input_metadata(meta)
print(meta["x"].dtype, c.input_metadata["x"].dtype, c.set_input_metadata(None))
"""
    assert lines(CALIBRATOR + script)[-1] == "float16 float32 None"


def test_calibration_caches_in_memory(lines):
    script = """
cache = io.BytesIO()
c = Calibrator([], cache=cache)
print(c.read_calibration_cache(), c.write_calibration_cache(bytearray(b"abc")), cache.getvalue())
print(Calibrator([], cache=io.BytesIO(b"old")).read_calibration_cache())
"""
    printed = [line for line in lines(CALIBRATOR + script) if not line.startswith("[I]")]
    assert printed == ["None None b'abc'", "b'old'"]


@pytest.mark.parametrize(
    "call, version, what",
    [
        ("Calibrator([])", "11.3.0", "INT8 calibration"),
        ("FileReader('plan')", "8.6.1", "Reading engines as a stream"),
        (
            "TacticRecorder('file')",
            "11.3.0",
            "Algorithm selectors (TacticRecorder/TacticReplayer)",
        ),
    ],
)
def test_what_a_version_lacks_is_said(call, version, what, lines):
    script = f"""
try: {call}
except Exception as err: print(type(err).__name__, err)
"""
    [*_, last] = lines(CALIBRATOR + script, PG_TENSORRT_DOUBLE_VERSION=version)
    assert last == f"PolygraphyException {what} is not available on TensorRT version {version}."


def test_tactics_are_compared_with_anything(lines):
    script = """
info = TensorInfo(trt.float32, (1,), -1, 1)
print(info == 3, Algorithm(1, 2, [info], []) == None, info != "x")
"""
    assert lines(CALIBRATOR + script) == ["False False True"]


def test_replays_are_read_and_written_by_versions_without_selectors(lines):
    script = """
info = TensorInfo(trt.float32, (1,), -1, 1)
replay = TacticReplayData().add("layer", Algorithm(1, 2, [info], [info]))
print(TacticReplayData.from_json(replay.to_json()) == replay)
"""
    assert lines(CALIBRATOR + script, PG_TENSORRT_DOUBLE_VERSION="11.3.0") == ["True"]
