#include "polygraphy/codegen/run_script.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polygraphy {
namespace {

RunScript script() {
  RunScript result;
  result.version = "0.53.6";
  result.command_line = "polygraphy run m.onnx --onnxrt\n--gen -";
  result.model.source.path = "m.onnx";
  result.runners.emplace_back();
  result.comparisons.push_back({"simple_compare_func", "", PythonCall("SimpleCompareFunc")});
  return result;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RunScript, OneRunnerReadsTheFileItself) {
  const std::string text = to_python(script());
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

TEST(RunScript, ALineBreakInTheCommandEndsNoComment) {
  EXPECT_TRUE(
      has(to_python(script()), "# Generation Command: polygraphy run m.onnx --onnxrt --gen -\n"));
}

TEST(RunScript, EditsOfTheModelAreLoadersInOrder) {
  RunScript edited = script();
  edited.model.source.outputs = {"*"};
  edited.model.source.float16 = true;
  edited.model.save_path = "o.onnx";
  edited.model.external_data = "";
  edited.runners.push_back({.plugin_reference = true});
  const std::string text = to_python(edited);
  EXPECT_TRUE(has(text,
                  "load_onnx = OnnxFromPath('m.onnx')\n"
                  "modify_outputs = ModifyOnnxOutputs(load_onnx, outputs=constants.MARK_ALL)\n"
                  "convert_to_fp16 = ConvertToFp16(modify_outputs)\n"
                  "save_onnx = SaveOnnx(convert_to_fp16, path='o.onnx', external_data_path='')\n"
                  "serialize_onnx = BytesFromOnnx(save_onnx)\n"
                  "pluginref = GsFromOnnx(save_onnx)\n"
                  "build_onnxrt_session = SessionFromOnnx(serialize_onnx)\n"))
      << text;
  EXPECT_TRUE(has(text, "# This script compares m.onnx between ONNX-Runtime and Plugin CPU"));
}

TEST(RunScript, ThePluginReferenceLeavesTheEngineItsFile) {
  RunScript both = script();
  both.runners.push_back({.plugin_reference = true});
  const std::string text = to_python(both);
  EXPECT_TRUE(has(text, "build_onnxrt_session = SessionFromOnnx('m.onnx')\n")) << text;
  EXPECT_TRUE(has(text, "pluginref = GsFromOnnx(load_onnx)\n")) << text;
}

TEST(RunScript, AScriptsFunctionTakesThePlaceOfTheOthers) {
  RunScript scripts = script();
  scripts.compare_script = {"it's.py", "f"};
  scripts.data_loader_script = {"d.py", "load_data"};
  const std::string text = to_python(scripts);
  EXPECT_TRUE(has(text, "compare_func=[InvokeFromScript(\"it's.py\", name='f')]")) << text;
  EXPECT_TRUE(has(text, "data_loader=data_loader(), streaming=True")) << text;
}

TEST(RunScript, ValidationFollowsTheComparisonWhenRunnersTakeTurns) {
  RunScript validated = script();
  validated.validate = true;
  EXPECT_TRUE(has(to_python(validated), "runs = Comparator.validate(runs, "));
  validated.sequential = true;
  EXPECT_TRUE(has(to_python(validated), "success &= all(Comparator.validate(runs, "));
}

TEST(PythonText, NumbersThatHaveNoLiteral) {
  EXPECT_EQ(py_number(0.1), "0.1");
  EXPECT_EQ(py_number(INFINITY), "float('inf')");
  EXPECT_EQ(py_number(NAN), "float('nan')");
}

}  // namespace
}  // namespace polygraphy
