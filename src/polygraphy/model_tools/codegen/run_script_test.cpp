#include "polygraphy/model_tools/codegen/run_script.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polygraphy {

extern const Metric metric_simple;

namespace {

RunScript script() {
  RunScript result;
  result.command_line = "polygraphy run m.onnx --onnxrt\n--gen -";
  result.model.source.path = "m.onnx";
  result.runners.emplace_back();
  result.metrics = {&metric_simple};
  return result;
}

std::string python_of(const RunScript& script) {
  Logger silent;
  return to_python(script, silent);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunScript, OneRunnerReadsTheFileItself) {
  const std::string text = python_of(script());
  EXPECT_EQ(text.substr(text.find("# This script")),
            "# This script runs m.onnx using ONNX-Runtime.\n"
            "\n"
            "from polygraphy.logger import G_LOGGER\n"
            "\n"
            "from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx\n"
            "from polygraphy.comparator import Comparator\n"
            "from polygraphy.exception import PolygraphyException\n"
            "\n"
            "# Loaders\n"
            "build_onnxrt_session = SessionFromOnnx('m.onnx')\n"
            "\n"
            "# Runners\n"
            "runners = [\n"
            "    OnnxrtRunner(build_onnxrt_session),\n"
            "]\n"
            "\n"
            "# Runner Execution\n"
            "run_stream = Comparator.run(runners, streaming=True)\n"
            "\n"
            "# Comparison Inputs\n"
            "runs = [run_stream]\n"
            "\n"
            "# Accuracy Comparison\n"
            "success = bool(Comparator.compare_accuracy(runs, compare_func=[None]))\n"
            "\n"
            "# Report Results\n"
            "if not success:\n"
            "    raise PolygraphyException('FAILED')\n");
}

TEST(RunScript, ALineBreakEndsNoComment) {
  EXPECT_TRUE(
      has(python_of(script()), "# Generation Command: polygraphy run m.onnx --onnxrt --gen -\n"));
  RunScript odd = script();
  odd.model.source.path = "m\nimport a.onnx";
  odd.load_outputs = {"o\nimport b"};
  const std::string text = python_of(odd);
  EXPECT_TRUE(has(text,
                  "# This script runs m import a.onnx using ONNX-Runtime.\n"
                  "# It will check against outputs stored in o import b\n"));
}

TEST(RunScript, EditsOfTheModelAreLoadersInOrder) {
  RunScript edited = script();
  edited.model.source.outputs = {"*"};
  edited.model.source.float16 = true;
  edited.model.save_path = "o.onnx";
  edited.model.external_data = "";
  edited.runners.push_back({.kind = RunScript::Runner::Kind::kPluginReference});
  const std::string text = python_of(edited);
  EXPECT_TRUE(has(text,
                  "load_onnx = OnnxFromPath('m.onnx')\n"
                  "modify_outputs = ModifyOnnxOutputs(load_onnx, outputs=constants.MARK_ALL)\n"
                  "convert_to_fp16 = ConvertToFp16(modify_outputs)\n"
                  "save_onnx = SaveOnnx(convert_to_fp16, path='o.onnx', external_data_path='')\n"
                  "serialize_onnx = BytesFromOnnx(save_onnx)\n"
                  "build_onnxrt_session = SessionFromOnnx(serialize_onnx)\n"
                  "pluginref = GsFromOnnx(save_onnx)\n"))
      << text;
  EXPECT_TRUE(has(text, "# This script compares m.onnx between ONNX-Runtime and Plugin CPU"));
}

TEST(RunScript, ThePluginReferenceLeavesTheEngineItsFile) {
  RunScript both = script();
  both.runners.push_back({.kind = RunScript::Runner::Kind::kPluginReference});
  const std::string text = python_of(both);
  EXPECT_TRUE(has(text, "build_onnxrt_session = SessionFromOnnx('m.onnx')\n")) << text;
  EXPECT_TRUE(has(text, "pluginref = GsFromOnnx(load_onnx)\n")) << text;
}

TEST(RunScript, RunnersThatTakeTheSameShareItsLoader) {
  RunScript three = script();
  three.model.source.float16 = true;
  three.runners.push_back({.kind = RunScript::Runner::Kind::kTensorRt});
  three.runners.emplace_back();
  const std::string text = python_of(three);
  EXPECT_TRUE(has(text,
                  "load_onnx = OnnxFromPath('m.onnx')\n"
                  "convert_to_fp16 = ConvertToFp16(load_onnx)\n"
                  "serialize_onnx = BytesFromOnnx(convert_to_fp16)\n"
                  "build_onnxrt_session = SessionFromOnnx(serialize_onnx)\n"
                  "parser_trt_config = CreateTrtConfig()\n"
                  "parse_network_from_onnx = NetworkFromOnnxBytes(serialize_onnx, "
                  "config=parser_trt_config)\n"))
      << text;
  EXPECT_TRUE(has(text,
                  "    OnnxrtRunner(build_onnxrt_session),\n"
                  "    TrtRunner(deserialize_engine),\n"
                  "    OnnxrtRunner(build_onnxrt_session),\n"));
}

TEST(RunScript, AScriptsFunctionTakesThePlaceOfTheOthers) {
  RunScript scripts = script();
  scripts.compare_script = {"it's.py", "f"};
  scripts.inputs.script = {"d.py", "load_data"};
  const std::string text = python_of(scripts);
  EXPECT_TRUE(has(text, "compare_func=[InvokeFromScript(\"it's.py\", name='f')]")) << text;
  EXPECT_TRUE(has(text, "data_loader=data_loader(), streaming=True")) << text;
}

TEST(RunScript, ValidationFollowsTheComparisonWhenRunnersTakeTurns) {
  RunScript validated = script();
  validated.validate = true;
  EXPECT_TRUE(has(python_of(validated), "runs = Comparator.validate(runs, "));
  validated.sequential = true;
  EXPECT_TRUE(has(python_of(validated), "success &= all(Comparator.validate(runs, "));
}

TEST(RunScript, InputsAreAsTheyWereTyped) {
  RunScript generated = script();
  generated.inputs.seed = 7;
  generated.inputs.shapes.set("x", {DataType::kUndefined, DimList{2, 3}, {}});
  generated.inputs.ranges.set("", {{0, "0"}, 2.5});
  const std::string text = python_of(generated);
  EXPECT_TRUE(has(text,
                  "data_loader = DataLoader(seed=7, input_metadata=TensorMetadata().add('x', None, "
                  "[2, 3]), val_range={'': (0, 2.5)})\n"))
      << text;
  generated.inputs.files = {"a.json", "b.json"};
  EXPECT_TRUE(has(python_of(generated),
                  "data_loader = StreamingDataLoader(['a.json', 'b.json'], allow_dirs=True)\n"));
}

TEST(RunScript, TheLoggerIsSetUpFirst) {
  RunScript logging = script();
  logging.logging = {.severities = {{"", Severity::kWarning}, {"backend", Severity::kVerbose}},
                     .colors = false,
                     .file = "log.txt"};
  EXPECT_TRUE(has(python_of(logging),
                  "G_LOGGER.module_severity = {'': G_LOGGER.WARNING, 'backend': G_LOGGER.VERBOSE}\n"
                  "G_LOGGER.colors = False\n"
                  "G_LOGGER.log_file = 'log.txt'\n"));
  logging.logging.silent = true;
  EXPECT_TRUE(has(python_of(logging), "G_LOGGER.module_severity = G_LOGGER.CRITICAL\n"));
}

TEST(RunScript, WhatTheOriginalLacksIsAnError) {
  const auto code_of = [](const RunScript& script) -> ErrorCode {
    try {
      python_of(script);
    } catch (const Error& error) {
      return error.code();
    }
    return {};
  };
  RunScript images = script();
  Metric own = *images.metrics.front();
  own.python_class = {};
  images.metrics = {&own};
  EXPECT_EQ(code_of(images), kNotInOriginal);
  RunScript nothing = script();
  nothing.model.source.path.clear();
  EXPECT_EQ(code_of(nothing), kScriptWithoutModel);
  nothing.runners.clear();
  EXPECT_EQ(code_of(nothing), ErrorCode());
}

TEST(PythonText, NumbersThatHaveNoLiteral) {
  EXPECT_EQ(py_number(0.1), "0.1");
  EXPECT_EQ(py_number(INFINITY), "float('inf')");
  EXPECT_EQ(py_number(NAN), "float('nan')");
}

}  // namespace
}  // namespace polygraphy
