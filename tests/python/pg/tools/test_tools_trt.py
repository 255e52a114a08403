"""Argument groups of TensorRT and TensorFlow. Neither of the two is needed."""

import sys

import pytest

from polygraphy.exception import PolygraphyException
from polygraphy.tools.args import *
from polygraphy.tools.script import Script, inline, safe
from group_cases.parsing import attributes, code, make_parser, parsed

ATTRIBUTES = {
    TrtConfigArgs: ["profile_dicts", "tf32", "fp16", "bf16", "fp8", "int8", "restricted"]
    + ["precision_constraints", "calibration_cache", "calibration_base_class", "sparse_weights"]
    + ["load_timing_cache", "load_tactics", "save_tactics", "tactic_sources", "trt_config_script"]
    + ["trt_config_func_name", "trt_config_postprocess_script", "use_dla", "allow_gpu_fallback"]
    + ["trt_config_postprocess_func_name", "memory_pool_limits", "engine_capability", "direct_io"]
    + ["refittable", "strip_plan", "preview_features", "builder_optimization_level", "use_gpu"]
    + ["hardware_compatibility_level", "profiling_verbosity", "max_aux_streams"]
    + ["version_compatible", "exclude_lean_runtime", "quantization_flags", "weight_streaming"]
    + ["error_on_timing_cache_miss", "disable_compilation_cache", "runtime_platform"]
    + ["tiling_optimization_level", "compute_capabilities"],
    TrtLoadPluginsArgs: ["plugins"],
    TrtOnnxFlagArgs: [],
    TrtLoadNetworkArgs: ["outputs", "exclude_outputs", "mark_layer_types", "layer_precisions"]
    + ["decomposable_attentions", "tensor_datatypes", "tensor_formats", "postprocess_scripts"]
    + ["strongly_typed", "mark_debug", "mark_unfused_tensors_as_debug_tensors"],
    TrtSaveEngineBytesArgs: ["path"],
    TrtLoadEngineBytesArgs: ["save_timing_cache"],
    TrtLoadEngineArgs: ["load_runtime", "dla_workspace_allocation_strategy"],
    TrtRunnerArgs: ["optimization_profile", "allocation_strategy", "weight_streaming_budget"]
    + ["weight_streaming_percent"],
    TfTrtArgs: ["use_tftrt", "minimum_segment_size", "dynamic_op"],
    TfLoadArgs: ["ckpt", "outputs", "save_frozen_graph_path", "save_tensorboard_path"]
    + ["freeze_graph"],
    TfConfigArgs: ["gpu_memory_fraction", "allow_growth", "xla"],
    TfRunnerArgs: ["timeline_path"],
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files to work with, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").write_bytes(b"")
    (tmp_path / "e.engine").write_bytes(b"plan")
    (tmp_path / "g.graphdef").write_bytes(b"")
    (tmp_path / "net.py").write_text(
        "def load_network():\n    return 'builder', 'network'\n\n\n"
        "def load_config(builder, network):\n    return [builder, network]\n"
    )
    return tmp_path


@pytest.mark.parametrize("group_type", ATTRIBUTES, ids=lambda group_type: group_type.__name__)
def test_a_group_works_alone(group_type):
    (group,) = parsed([group_type()], [])
    assert list(attributes(group)) == sorted(ATTRIBUTES[group_type])
    help_text = make_parser([group_type()]).format_help()
    assert all(
        option in help_text for a in group.group._group_actions for option in a.option_strings
    )
    assert "tensorrt" not in sys.modules and "tensorflow" not in sys.modules


@pytest.mark.parametrize("text", ["101%", "-1%", "x%", "%", "nan%", "-3", "-1M"])
def test_what_is_no_budget(text):
    with pytest.raises(PolygraphyException, match="Invalid .* for --weight-streaming-budget!"):
        parsed([TrtRunnerArgs()], [f"--weight-streaming-budget={text}"])


def test_profiles_leave_out_shapes_that_are_left_open():
    line = ["--input-shapes", "x:auto", "y:[N]", "--trt-max-shapes", "y:[4]", "z:auto"]
    _, config = parsed([ModelArgs(), TrtConfigArgs()], line)
    assert config.profile_dicts == [{"y": ([1], [1], [4])}]
    _, config = parsed([ModelArgs(), TrtConfigArgs()], ["--input-shapes", "x:auto"])
    assert config.profile_dicts == []


def test_one_format_needs_no_brackets():
    (network,) = parsed([TrtLoadNetworkArgs()], ["--tensor-formats", "x:linear"])
    assert repr(network.tensor_formats) == "{'x': [trt.TensorFormat.LINEAR]}"


@pytest.mark.parametrize(
    "line",
    [
        ["--tensor-formats", "x:[1]"],
        ["--tensor-formats", "x:1"],
        ["--tensor-dtypes", "x:1"],
        ["--layer-precisions", "x:1.5"],
        ["--all-tensor-formats", "os.system"],
    ],
    ids=" ".join,
)
def test_what_is_no_name(line):
    with pytest.raises(PolygraphyException, match="This argument must be a valid identifier"):
        parsed([TrtLoadNetworkArgs()], line)


def test_calibration_without_a_data_loader():
    (config,) = parsed([TrtConfigArgs()], ["--int8", "--quantile", "0.5"])
    assert "calibrator=Calibrator(data_loader=DataLoader(), quantile=0.5)" in code(config)


def test_networks_need_a_model_that_is_one(files):
    groups = [ModelArgs(), TrtLoadNetworkArgs(allow_onnx_loading=False)]
    _, network = parsed(groups, [])
    with pytest.raises(PolygraphyException, match="no model file was provided"):
        network.add_to_script(Script())
    _, network = parsed(groups, ["m.onnx"])
    with pytest.raises(PolygraphyException, match="onnx is not a TensorRT network script"):
        network.add_to_script(Script())


def test_engines_are_deprecated_but_saved():
    with pytest.warns(DeprecationWarning, match="Use TrtSaveEngineBytesArgs instead"):
        engine = TrtSaveEngineArgs()
    _, engine = parsed([TrtSaveEngineBytesArgs(), engine], ["-o", "saved"])
    assert engine.path == "saved"
    assert "save_engine = SaveEngine(loader, path='saved')" in code(engine, inline(safe("loader")))
    _, engine = parsed([TrtSaveEngineBytesArgs(), engine], [])
    assert engine.add_to_script(Script(), "loader") == "loader"
    assert engine.save_engine("engine") == engine.save_engine(lambda: "engine") == "engine"


def test_bytes_of_engines_are_saved(files):
    (save,) = parsed([TrtSaveEngineBytesArgs()], [])
    assert save.save_engine_bytes(b"plan") == save.save_engine_bytes(lambda: b"plan") == b"plan"
    assert save.save_engine_bytes(lambda: b"plan", "saved") == b"plan"
    assert (files / "saved").read_bytes() == b"plan"


def test_engines_are_read(files):
    _, engine = parsed([ModelArgs(), TrtLoadEngineBytesArgs()], ["e.engine"])
    assert engine.load_engine_bytes() == b"plan"


def test_scripts_make_networks_and_configurations(files):
    _, network = parsed([ModelArgs(), TrtLoadNetworkArgs(allow_onnx_loading=False)], ["net.py"])
    assert network.load_network() == ("builder", "network")
    (config,) = parsed([TrtConfigArgs()], ["--trt-config-script", "net.py"])
    assert config.create_config("builder", "network") == ["builder", "network"]


def test_tensorrt_in_tensorflow(files):
    groups = [ModelArgs(), TrtConfigArgs(), TfTrtArgs(), TfLoadArgs(allow_tftrt=True)]
    line = ["g.graphdef", "--tftrt", "--fp16", "--minimum-segment-size", "3", "--dynamic-op"]
    *_, graph = parsed(groups, [*line, "--pool-limit", "workspace:1K", "--tf-outputs", "y"])
    assert (
        "use_tftrt = UseTfTrt(load_frozen, max_workspace_size=1024, fp16=True, is_dynamic_op=True, "
        "minimum_segment_size=3)\nmodify_tf = ModifyGraphOutputs(use_tftrt, outputs=['y'])\n"
    ) in code(graph)
    *_, graph = parsed([ModelArgs(), TfLoadArgs(allow_tftrt=True)], ["g.graphdef"])
    assert "load_frozen = GraphFromFrozen(" in code(graph)
