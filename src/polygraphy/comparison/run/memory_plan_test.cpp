#include "polygraphy/comparison/run/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Three outputs of 64 MiB.
graphsurgeon::Model model() {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[4096, 4096] x) => (float[4096, 4096] a, float[4096, 4096] b, float[4096, 4096] c)
      { a = Relu (x)  b = Neg (x)  c = Abs (x) })");
}

class MemoryPlanTest : public testing::Test {
 protected:
  std::optional<OutputGroups> plan(uint64_t mebibytes, bool isolated = false) {
    graphsurgeon::Model planned = model();
    const ArrayMap feed{{"x", Array::zeros(DataType::kFloat32, {4096, 4096})}};
    return plan_memory(planned, feed,
                       {.limit = mebibytes * kMiB,
                        .limit_text = "The limit",
                        .runners = 1,
                        .isolated = isolated},
                       log_)
        .groups;
  }

  std::vector<std::string> lines_;
  Logger log_{[this](Severity, std::string_view text) { lines_.emplace_back(text); }};
};

TEST_F(MemoryPlanTest, OutputsThatFitNeedNoGroups) {
  EXPECT_FALSE(plan(1024));
  EXPECT_TRUE(lines_.empty());
}

TEST_F(MemoryPlanTest, OutputsAreRunInGroupsUpToTheLimit) {
  auto groups = plan(640);
  ASSERT_TRUE(groups);
  EXPECT_THAT(groups->next(), ElementsAre("a", "b"));
  EXPECT_THAT(groups->next(), ElementsAre("c"));
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_EQ(lines_[0],
            "[I] Memory limit: 640 MiB | 3 outputs of 192 MiB in groups of up to 144 MiB");
}

TEST_F(MemoryPlanTest, IsolatedRunnersNeedMore) {
  ASSERT_TRUE(plan(640, true));
  EXPECT_THAT(lines_[0], HasSubstr("in groups of up to 72 MiB"));
}

TEST_F(MemoryPlanTest, ALimitBelowOneOutputIsAnError) {
  try {
    plan(200);
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kMemoryLimitTooLow);
    EXPECT_THAT(error.what(), StartsWith("The limit is too low for this model: its weights need 0 "
                                         "MiB, its largest output 64 MiB, and 1 runner(s)"));
  }
}

// Two weights of 100 MiB each, behind one another.
graphsurgeon::Model heavy_model() {
  graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1, 5120] x) => (float[1, 5120] c) { b = MatMul (x, v)  c = MatMul (b, w) })");
  for (const auto& node : model.graph->nodes())
    node->inputs()[1]->to_constant(Array::zeros(DataType::kFloat32, {5120, 5120}));
  return model;
}

TEST_F(MemoryPlanTest, WeightsThatDoNotFitTogetherRunInParts) {
  const ArrayMap feed{{"x", Array::zeros(DataType::kFloat32, {1, 5120})}};
  const auto planned = [&](uint64_t mebibytes) {
    graphsurgeon::Model model = heavy_model();
    return plan_memory(model, feed, {.limit = mebibytes * kMiB, .limit_text = "The limit"}, log_);
  };
  EXPECT_EQ(planned(600).part_bytes, std::nullopt);
  EXPECT_FALSE(planned(560).groups);
  EXPECT_EQ(planned(560).part_bytes.value_or(0) / kMiB, 99);
  try {
    planned(359);
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kMemoryLimitTooLow);
    EXPECT_THAT(
        error.what(),
        HasSubstr("' alone takes 200 MiB in an engine, but the memory limit of 359 MiB leaves"));
  }
}

}  // namespace
}  // namespace polygraphy
