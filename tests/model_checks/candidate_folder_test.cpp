#include "polygraphy/reduce/candidates/candidate_folder.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "checking.h"
#include "graphsurgeon/io/load.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::load_model;
using graphsurgeon::Model;
using graphsurgeon::save_model;

// y = x * w + b with 64 KiB each.
Model two_weights() {
  Model model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[16384] x) => (float[16384] y) <float w "
      "= "
      "{0}, float b = {0}> { t = Mul(x, w) y = Add(t, b) }");
  for (size_t i = 0; i < 2; ++i) {
    Array values = Array::zeros(DataType::kFloat32, {16384});
    auto* numbers = reinterpret_cast<float*>(values.mutable_data());
    for (int64_t k = 0; k < 16384; ++k) numbers[k] = static_cast<float>(k % 100 + 1);
    model.graph->initializers()[i]->to_constant(std::move(values));
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
  const CandidateFolder candidates(model_, folder_.path());
  const std::string path = candidates.path("candidate.onnx");
  CandidateFolder::write(model_, path);
  EXPECT_LT(fs::file_size(path), 1000u);
  const Model back = load_model(path);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.graph->initializers()[i]->values().get_double(16383), 16383 % 100 + 1);
  }
}

TEST_P(Candidates, RunOnEveryRuntime) {
  const CandidateFolder candidates(model_, folder_.path());
  const std::string path = candidates.path("candidate.onnx");
  CandidateFolder::write(model_, path);
  Checking checking;
  checking.tools().paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  checking.tools().inputs = [&](const Metadata&, int64_t sample,
                                Logger&) -> std::optional<ValueMap> {
    if (sample > 0) return std::nullopt;
    ValueMap feed;
    feed.set("x", Array::zeros(DataType::kFloat32, {16384}));
    return feed;
  };
  checking.start("run", {"onnxrt", "openvino"});
  EXPECT_TRUE(checking.run_file(path)) << testing::PrintToString(checking.log().messages());
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

TEST(CandidateFolder, OfAModelThatWasMadeInMemory) {
  const cli::TemporaryFolder folder;
  const Model model = two_weights();
  const CandidateFolder candidates(model, folder.path());
  CandidateFolder::write(model, candidates.path("candidate.onnx"));
  EXPECT_EQ(load_model(candidates.path("candidate.onnx")).graph->initializers()[0]->values().size(),
            16384);
}

}  // namespace
}  // namespace polygraphy
