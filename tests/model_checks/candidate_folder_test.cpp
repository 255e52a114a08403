#include "polygraphy/models/candidates/candidate_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "check_bench.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/arg.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::load_model;
using graphsurgeon::Model;
using graphsurgeon::save_model;

Array counting(int64_t size) {
  Array values = Array::zeros(DataType::kFloat32, {size});
  auto* numbers = reinterpret_cast<float*>(values.mutable_data());
  for (int64_t k = 0; k < size; ++k) numbers[k] = static_cast<float>(k % 100 + 1);
  return values;
}

// y = x * w + b with 64 KiB each.
Model two_weights() {
  Model model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[16384] x) => (float[16384] y) <float w "
      "= "
      "{0}, float b = {0}> { t = Mul(x, w) y = Add(t, b) }");
  for (size_t i = 0; i < 2; ++i) {
    model.graph->initializers()[i]->to_constant(counting(16384));
  }
  return model;
}

class Candidates : public testing::TestWithParam<std::optional<std::string>> {
 protected:
  Candidates() {
    graphsurgeon::SaveOptions options;
    options.external_data = GetParam();
    save_model(two_weights(), folder_.path() + "/m.onnx", options);
    model_ = load_model(folder_.path() + "/m.onnx");
    model_.graph->set_name("edited");
  }

  const cli::TemporaryFolder folder_;
  Model model_;
};

TEST_P(Candidates, AreSmallAndHaveTheirWeights) {
  CandidateFolder candidates(model_, folder_.path());
  const std::string path = candidates.path("candidate.onnx");
  candidates.write(model_, path);
  EXPECT_LT(fs::file_size(path), 1000u);
  const Model back = load_model(path);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.graph->initializers()[i]->values().get_double(16383), 16383 % 100 + 1);
  }
}

TEST_P(Candidates, RunOnEveryRuntime) {
  CandidateFolder candidates(model_, folder_.path());
  const std::string path = candidates.path("candidate.onnx");
  candidates.write(model_, path);
  CheckBench bench;
  bench.tools().runners.paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  bench.tools().inputs = [&](const Metadata&, int64_t sample, Logger&) -> std::optional<ValueMap> {
    if (sample > 0) return std::nullopt;
    ValueMap feed;
    feed.set("x", Array::zeros(DataType::kFloat32, {16384}));
    return feed;
  };
  bench.start("run", {"onnxrt", "openvino"});
  EXPECT_TRUE(bench.run_file(path)) << testing::PrintToString(bench.log().messages());
}

TEST_P(Candidates, LeaveNothingBehind) {
  const auto entries = [&] {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  };
  const auto before = entries();
  {
    const CandidateFolder candidates(model_, folder_.path());
  }
  EXPECT_EQ(entries(), before);
}

INSTANTIATE_TEST_SUITE_P(Weights, Candidates,
                         testing::Values(std::nullopt, std::optional<std::string>("m.data")),
                         [](const auto& each) { return each.param ? "InADataFile" : "Inline"; });

// Weights of a loop's body, an initializer and a Constant, or of a function.
class WeightsInside : public testing::TestWithParam<std::tuple<int64_t, bool>> {
 protected:
  static constexpr const char* kLoop =
      "g (TYPE x) => (TYPE y) <int64 m = {2}> { y = Loop <body = b (int64 i, bool c, TYPE s) => "
      "(bool d, TYPE t) <float w = {0}> { d = Identity(c) k = Constant <value = float {0}> () "
      "u = Mul(s, w) t = Add(u, k) }> (m, , x) }";
  static constexpr const char* kFunction =
      "g (TYPE x) => (TYPE y) { y = f.F(x) } <opset_import: [\"\" : 17], domain: \"f\"> "
      "F (p) => (q) { z = Constant <value = float {0}> () q = Sub(p, z) }";

  WeightsInside() {
    bench_.tools().runners.paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
    bench_.tools().inputs = [](const Metadata&, int64_t sample,
                               Logger&) -> std::optional<ValueMap> {
      if (sample > 0) return std::nullopt;
      ValueMap feed;
      feed.set("x", Array::zeros(DataType::kFloat32, {std::get<0>(GetParam())}));
      return feed;
    };
  }

  // Saved and loaded.
  Model model_of(std::string text) const {
    const auto [size, external] = GetParam();
    const std::string type = "float[" + std::to_string(size) + "]";
    for (size_t at = 0; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
    Model model = graphsurgeon::parse_onnx_text(
        "<ir_version: 9, opset_import: [\"\" : 17, \"f\" : 1]> " + text);
    for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
      if (graph == model.graph.get()) continue;
      for (const auto& weight : graph->initializers()) weight->to_constant(counting(size));
      for (const auto& node : graph->nodes()) {
        if (node->op() == "Constant") node->set_attribute("value", counting(size));
      }
    }
    graphsurgeon::SaveOptions options;
    if (external) options.external_data = "m.data";
    options.external_data_threshold = 4 * size;
    save_model(model, folder_.path() + "/m.onnx", options);
    return load_model(folder_.path() + "/m.onnx");
  }

  // Twice: files of weights are there the second time.
  void expect_small_and_runs(const Model& model) {
    CandidateFolder candidates(model, folder_.path());
    const std::string path = candidates.path("candidate.onnx");
    for (int i = 0; i < 2; ++i) {
      candidates.write(model, path);
      EXPECT_TRUE(bench_.run_file(path)) << testing::PrintToString(bench_.log().messages());
      EXPECT_LT(fs::file_size(path), 20000u);
    }
  }

  const cli::TemporaryFolder folder_;
  CheckBench bench_;
};

TEST_P(WeightsInside, OfBodiesAreReadByEveryRuntime) {
  bench_.start("run", {"onnxrt", "openvino"});
  expect_small_and_runs(model_of(kLoop));
}

TEST_P(WeightsInside, OfFunctionsAreRead) {
  bench_.start("crash", {"onnxrt"});
  expect_small_and_runs(model_of(kFunction));
}

INSTANTIATE_TEST_SUITE_P(CandidateFolder, WeightsInside,
                         testing::Combine(testing::Values(4, 1000, 16384), testing::Bool()));

TEST(CandidateFolder, OfAModelThatWasMadeInMemory) {
  const cli::TemporaryFolder folder;
  const Model model = two_weights();
  CandidateFolder candidates(model, folder.path());
  candidates.write(model, candidates.path("candidate.onnx"));
  EXPECT_EQ(load_model(candidates.path("candidate.onnx")).graph->initializers()[0]->values().size(),
            16384);
}

}  // namespace
}  // namespace polygraphy
