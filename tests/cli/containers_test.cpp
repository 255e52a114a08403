// Inputs and outputs other than tensors: generated, run, compared and saved as the tensors that
// they hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class ContainersTest : public testing::Test {
 protected:
  ContainersTest() {
    save("seq.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (seq(float[2, 3]) s) => (seq(float[2, 3]) t) {
        t = SequenceMap (s) <body = b (float[2, 3] a) => (float[2, 3] r) { r = Neg(a) }>
      })");
    save("opt.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
      g (optional(float[2, 3]) o) => (float[2, 3] y) { y = OptionalGetElement(o) })");
  }
  void save(const std::string& name, const char* text) {
    graphsurgeon::Model model = graphsurgeon::parse_onnx_text(text);
    graphsurgeon::save_model(model, folder_.path() + "/" + name);
  }
  Outcome run(std::vector<std::string> options) const {
    options.insert(options.begin(), "run");
    return run_in_process(options, {.root = folder_.path()});
  }

  const TemporaryFolder folder_;
};

TEST_F(ContainersTest, SequencesAreMadeRunComparedAndSaved) {
  for (const char* file : {".json", ".npz", ".safetensors"}) {
    const std::string in = std::string("in") + file, out = std::string("out") + file;
    const Outcome outcome = run({"seq.onnx", "--onnxrt", "--onnxrt", "--isolate", "--save-inputs",
                                 in, "--save-outputs", out});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("All outputs matched | Outputs: ['t[0]', 't[1]']"));
    const Outcome again = run({"seq.onnx", "--onnxrt", "--load-inputs", in, "--load-outputs", out});
    EXPECT_EQ(again.code, 0) << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("All outputs matched | Outputs: ['t[0]', 't[1]']"));
  }
}

TEST_F(ContainersTest, ItemsMayBeToldApart) {
  const Outcome outcome = run({"seq.onnx", "--onnxrt", "--val-range", "s:[5,5]", "s[2]:[6,6]",
                               "--input-shapes", "s[2]:[2,3]", "--save-outputs", "out.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  Logger quiet;
  const RunResults results = load_results(folder_.path() + "/out.json", quiet);
  const ArrayMap& outputs = results.runners.front().second.front().outputs;
  EXPECT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs.find("t[1]")->get_double(0), -5);
  EXPECT_EQ(outputs.find("t[2]")->get_double(0), -6);
}

TEST_F(ContainersTest, SequencesOfDifferentLengthsFail) {
  const std::vector<std::string> options = {"seq.onnx", "--onnxrt", "--val-range", "[5,5]"};
  std::vector<std::string> three = options, two = options;
  three.insert(three.end(), {"--input-shapes", "s[2]:[2,3]"});
  for (const auto& [saved, loaded] : {std::pair(three, two), std::pair(two, three)}) {
    std::vector<std::string> save = saved, load = loaded;
    save.insert(save.end(), {"--save-outputs", "out.json"});
    load.insert(load.end(), {"--load-outputs", "out.json", "--output-dir", "report"});
    EXPECT_EQ(run(save).code, 0);
    std::filesystem::remove_all(folder_.path() + "/report");
    const Outcome outcome = run(load);
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("FAILED | Sequences differ in length | Only onnxrt-runner-"));
    EXPECT_THAT(outcome.out, HasSubstr("has these items: ['t[2]']"));
    EXPECT_THAT(outcome.out, HasSubstr("FAILED | simple | Mismatched outputs: ['t[2]']"));
    EXPECT_THAT(folder_.read("report/report.txt"),
                HasSubstr("FAILED | t[2] [dtype=float32, shape=(2, 3)] with (missing)"));
  }
}

TEST_F(ContainersTest, InputsThatSpellTheirNamesAlikeAreAnError) {
  save("alike.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
    g (seq(float[2]) s, float[2] "s[0]") => (float[2] y) <int64 i = {0}> {
      a = SequenceAt (s, i)
      y = Add (a, "s[0]") })");
  Logger quiet;
  InputWriter writer(folder_.path() + "/in.json", quiet);
  writer.add({{"s[0]", Array::of<float>({2}, {1, 2})}, {"s[1]", Array::of<float>({2}, {3, 4})}});
  writer.finish();
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{}, std::vector<std::string>{"--load-inputs", "in.json"}}) {
    std::vector<std::string> options = {"alike.onnx", "--onnxrt"};
    options.insert(options.end(), inputs.begin(), inputs.end());
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("The model's 's' and 's[0]' are ambiguous"));
  }
}

TEST_F(ContainersTest, AnOptionalHoldsWhatItMayHold) {
  const Outcome outcome = run({"opt.onnx", "--onnxrt", "--onnxrt", "--save-inputs", "in.npz"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("All outputs matched | Outputs: ['y']"));
  EXPECT_EQ(run({"opt.onnx", "--onnxrt", "--load-inputs", "in.npz"}).code, 0);
}

TEST_F(ContainersTest, MapsAreLoadedFromTheirKeysAndValues) {
  save("map.onnx", R"(<ir_version: 8, opset_import: ["": 17, "ai.onnx.ml": 3]>
    g (map(int64, float) m) => (float[1, N] y) {
      y = ai.onnx.ml.CastMap <cast_to = "TO_FLOAT", map_form = "DENSE"> (m) })");
  Logger quiet;
  InputWriter writer(folder_.path() + "/in.json", quiet);
  writer.add({{"m.keys", Array::of<int64_t>({2}, {0, 1})},
              {"m.values", Array::of<float>({2}, {0.25, 0.75})}});
  writer.finish();
  const Outcome outcome = run({"map.onnx", "--onnxrt", "--onnxrt", "--isolate", "--load-inputs",
                               "in.json", "--save-inputs", "again.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("m.keys [dtype=int64, shape=(2,)]"));
  EXPECT_EQ(run({"map.onnx", "--onnxrt", "--load-inputs", "again.json"}).code, 0);
}

TEST_F(ContainersTest, ATensorMayBeNamedLikeAnItem) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 18]> g (float[2] x) => (float[2] y) { y = Neg(x) })");
  model.graph->inputs()[0]->set_name("x[0]");
  model.graph->outputs()[0]->set_name("y[0]");
  graphsurgeon::save_model(model, folder_.path() + "/item.onnx");
  const Outcome outcome =
      run({"item.onnx", "--onnxrt", "--onnxrt", "--isolate", "--input-shapes", "x[0]:[2]",
           "--save-inputs", "in.json", "--save-outputs", "out.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("All outputs matched | Outputs: ['y[0]']"));
  const Outcome again =
      run({"item.onnx", "--onnxrt", "--load-inputs", "in.json", "--load-outputs", "out.json"});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
}

TEST_F(ContainersTest, WhatIsNotKnownOfThemIsAskedFor) {
  save("any.onnx", R"(<ir_version: 8, opset_import: ["" : 18]>
    g (seq(float[]) s) => (int64 n) { n = SequenceLength(s) })");
  const Outcome outcome = run({"any.onnx", "--onnxrt"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("Input tensor: s | Its shape is unknown"));
  EXPECT_EQ(run({"any.onnx", "--onnxrt", "--input-shapes", "s:[2,3]"}).code, 0);
  EXPECT_EQ(run({"seq.onnx", "--onnxrt", "--mem-limit", "2G"}).code, 0) << "the graph tells, too";
}

}  // namespace
}  // namespace polygraphy::cli
