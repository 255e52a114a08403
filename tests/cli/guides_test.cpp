// Commands as guides print them, word for word up to the runtime: the command line must accept
// their names and do what the guide says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Guides : public testing::Test {
 protected:
  Guides() {
    // `unused` is what --onnx-graphsurgeon takes away.
    folder_.write("model.onnx", graphsurgeon::encode_model(graphsurgeon::parse_onnx_text(R"(
        <ir_version: 8, opset_import: ["": 17]>
        g (float[2, 3] x) => (float[2, 3] y) {
          [scale] m = Mul (x, x)
          [soft] y = Softmax (m)
          [dead] unused = Neg (m) })")));
    folder_.write("input.json", R"({"x": [[1, 2, 3], [4, 5, 6.5]]})");
  }

  Outcome run(const std::string& line) {
    std::vector<std::string> args;
    for (const auto word : split(line, ' ')) args.emplace_back(word);
    return run_in_process(args, {.root = folder_.path()});
  }
  std::vector<std::string> files(const std::string& in = ".") const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() + "/" + in)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
};

TEST_F(Guides, EverythingOfARunLandsInTheOutputDirectory) {
  const Outcome outcome =
      run("run model.onnx --openvino --onnxrt --onnx-graphsurgeon --input-file input.json "
          "--output-dir results --save-inputs --save-outputs --compare-outputs");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(files("results"),
              ElementsAre("inputs.json", "log.txt", "outputs.json", "report.json", "report.txt"));
  EXPECT_THAT(outcome.out, HasSubstr("Loaded through the graph library: 2 of 3 nodes"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("does not match expected input dtype")));
  EXPECT_EQ(folder_.read("results/log.txt"), outcome.out);
  EXPECT_THAT(folder_.read("results/report.txt"),
              AllOf(HasSubstr("Verdict: PASSED"), HasSubstr("1 of 1 tensor matched"),
                    HasSubstr("Layer: node 1 'soft' [Op: Softmax]")));
  EXPECT_THAT(run("inspect data results/inputs.json -s").out, HasSubstr("[4.  5.  6.5]"));
  EXPECT_THAT(run("inspect data results/outputs.json").out, HasSubstr("Run Results (2 runners)"));
}

TEST_F(Guides, TheReportNamesTheFirstBadLayerAndTheWorstElements) {
  run("run model.onnx --onnxrt --save-all-intermediate-outputs --input-file input.json");
  EXPECT_THAT(files(), ElementsAre("input.json", "model.onnx", "outputs.json"));
  folder_.write("other.json", R"({"x": [[1, 2, 3], [4, 5, 6]]})");
  const Outcome outcome =
      run("run model.onnx --openvino --save-all-intermediate-outputs --input-file other.json "
          "--load-outputs outputs.json --output-dir results");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      folder_.read("results/report.txt"),
      AllOf(HasSubstr("Verdict: FAILED"), HasSubstr("0 of 3 tensors matched"),
            HasSubstr("First bad layer in the order of the graph: node 0 'scale' [Op: Mul]"),
            HasSubstr("(1, 2)  36.0"), HasSubstr("42.25")));
  EXPECT_THAT(folder_.read("results/report.json"), HasSubstr("\"first_bad_tensor\": \"m\""));
}

TEST_F(Guides, LayersByNameAreSavedBesideTheOutputs) {
  EXPECT_EQ(run("run model.onnx --onnxrt --save-intermediate-outputs scale --silent").code, 0);
  EXPECT_THAT(run("inspect data outputs.json").out,
              AllOf(HasSubstr("m [dtype=float32"), HasSubstr("y [dtype=float32"),
                    Not(HasSubstr("unused"))));
}

TEST_F(Guides, AReportIsWrittenOfARunThatWasGivenUp) {
  folder_.write("short.json", R"({"x": [[1, 2]]})");
  const Outcome outcome =
      run("run model.onnx --onnxrt --input-file short.json --output-dir results/deep");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(folder_.read("results/deep/report.txt"),
              AllOf(HasSubstr("Verdict: FAILED"), HasSubstr("No outputs were compared.")));
}

TEST_F(Guides, ComparingNothingIsAnErrorOnRequest) {
  EXPECT_EQ(run("run model.onnx --onnxrt --compare-outputs").code, 1);
  EXPECT_THAT(run("run model.onnx --onnxrt --compare-outputs").err,
              HasSubstr("Cannot compare outputs: there is only one run: onnxrt-runner-N0-"));
  EXPECT_THAT(run("run model.onnx --compare-outputs").err, HasSubstr("no runner is selected"));
  run("run model.onnx --onnxrt --save-outputs one.json");
  EXPECT_THAT(run("run --load-outputs one.json --compare-outputs").err,
              HasSubstr("there is only one run"));
  EXPECT_THAT(run("run model.onnx --onnxrt --openvino --compare-outputs --iterations 0").err,
              HasSubstr("there were no iterations"));
}

TEST_F(Guides, SavingWithoutAPathUsesTheCurrentFolder) {
  EXPECT_EQ(run("run model.onnx --onnxrt --save-inputs --save-outputs --silent").code, 0);
  EXPECT_THAT(files(), ElementsAre("input.json", "inputs.json", "model.onnx", "outputs.json"));
}

// The option takes what follows it, as the original's does; nothing is overwritten.
TEST_F(Guides, AModelTakenForAPathIsNotOverwritten) {
  const std::string model = folder_.read("model.onnx");
  const Outcome outcome = run("run --onnxrt --save-inputs model.onnx");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no model file was provided"));
  EXPECT_EQ(folder_.read("model.onnx"), model);
}

TEST_F(Guides, LinesThatLostTheirBlanks) {
  const Outcome outcome =
      run("run model.onnx --onnxrt --openvino --trt-outputs mark all--onnx-outputs mark all --atol "
          "1e-2 --rtol 1e-3 --fail-fast--val-range[0,1]");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Comparing Output: 'unused'"));
  EXPECT_THAT(run("run model.onnx --onnxrt --val-range[2,3] --save-inputs i.json").err, IsEmpty());
  EXPECT_THAT(run("inspect data i.json").out, HasSubstr("min=2"));
}

// The guide's bisection: golden data of one runtime, held against the other.
TEST_F(Guides, GoldenDataOfOneRuntimeAgainstTheOther) {
  EXPECT_EQ(run("run model.onnx --openvino --save-inputs golden_inputs.json --save-outputs "
                "golden_outputs_fp16.json --silent")
                .out,
            "");
  EXPECT_EQ(run("run model.onnx --onnxrt --load-inputs golden_inputs.json --save-outputs "
                "golden_outputs_onnx.json --silent")
                .code,
            0);
  const std::string check =
      "run model.onnx --openvino --load-inputs golden_inputs.json --load-outputs "
      "golden_outputs_onnx.json --check-error-stat mean --fail-fast";
  const Outcome passed = run(check + " --atol 0.1 --rtol 0.01");
  EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("Checking mean error"));
  EXPECT_THAT(passed.out, HasSubstr("Pass Rate: 100.00%"));
  folder_.write("shifted.json", R"({"x": [[3, 2, 1], [1, 1, 1]]})");
  run("run model.onnx --onnxrt --load-inputs shifted.json --save-outputs golden_outputs_onnx.json");
  const Outcome failed = run(check + " --atol 0.001 --rtol 0.001");
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.out, HasSubstr("FAILED"));
}

TEST_F(Guides, LayersAsAnotherRuntimeHasThem) {
  const Outcome outcome = run("inspect model model.onnx --show layers --display-as trt");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("tensorrt is not available: TensorRT was not found"));
  EXPECT_THAT(run("inspect model model.onnx --show layers").out,
              HasSubstr("Node 1    | soft [Op: Softmax]"));
}

}  // namespace
}  // namespace polygraphy::cli
