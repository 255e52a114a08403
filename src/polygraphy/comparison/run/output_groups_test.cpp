#include "polygraphy/comparison/run/output_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OutputGroupsTest, SizesComeFromTheShapesOfTheInputs) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    g (float[N, 4] x) => (float[N, 4] y, float16[4, N] h, int64[K, L] z) {
      y = Relu(x)
      t = Transpose(x)
      h = Cast<to = 10>(t)
      z = NonZero(x)
    })");
  const auto sizes = output_sizes(model, {{"x", Array::zeros(DataType::kFloat32, {3, 4})}});
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes[0].bytes, 48U);
  EXPECT_EQ(sizes[1].bytes, 24U);
  EXPECT_EQ(sizes[2].bytes, std::nullopt);
}

TEST(OutputGroupsTest, GroupsFitTheBudgetInOrder) {
  OutputGroups groups({{"a", 40}, {"b", 60}, {"c", 1}, {"d", 500}, {"e", 0}, {"f", 100}}, 100);
  EXPECT_THAT(groups.next(), ElementsAre("a", "b"));
  EXPECT_THAT(groups.next(), ElementsAre("c"));
  EXPECT_THAT(groups.next(), ElementsAre("d"));
  EXPECT_THAT(groups.next(), ElementsAre("e", "f"));
  EXPECT_THAT(groups.next(), IsEmpty());
  EXPECT_EQ(groups.known_bytes(), 701U);
  EXPECT_EQ(groups.largest(), 500U);
}

TEST(OutputGroupsTest, TheBudgetFollowsWhatIsUsed) {
  std::vector<OutputSize> outputs;
  for (int i = 0; i < 100; ++i) outputs.push_back({"t" + std::to_string(i), 10});
  OutputGroups groups(outputs, 100);
  EXPECT_EQ(groups.next().size(), 10U);
  groups.adapt(100, 1000);
  EXPECT_EQ(groups.next().size(), 20U);
  groups.adapt(1000, 1000);
  EXPECT_EQ(groups.next().size(), 17U);
  groups.adapt(850, 1000);
  EXPECT_EQ(groups.next().size(), 17U);
}

TEST(OutputGroupsTest, WhatIsMeasuredDecidesAboutTheRest) {
  std::vector<OutputSize> outputs;
  for (int i = 0; i < 30; ++i) outputs.push_back({"t" + std::to_string(i), std::nullopt});
  OutputGroups groups(outputs, 800);
  const auto first = groups.next();
  EXPECT_EQ(first.size(), 8U);
  for (const auto& name : first) groups.measured(name, 40);
  EXPECT_EQ(groups.next().size(), 20U);
  groups.measured("t9", 400);
  EXPECT_EQ(groups.next().size(), 2U);
}

}  // namespace
}  // namespace polygraphy
