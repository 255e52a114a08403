#include "polygraphy/diagnosis/locate/models/reference_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/os/scratch_folder.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Model parse(const std::string& graph) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21]> " + graph).c_str());
}

// A float model, and the same in float16 with a node more and other names.
class ReferenceModels : public testing::Test {
 protected:
  ReferenceModel make(const WholeModel& target) {
    return ReferenceModel({.model = {.path = "half.onnx"},
                           .reference_model = ModelSource{.path = "float.onnx", .model = &float_}},
                          target, DataPlacement::kLinks, log_);
  }

  Logger log_;
  const Model float_ = parse(R"(g (float[2, 4] x, int64[1] token) => (float[2, 1] y)
    <float[4, 1] w = {1, 2, 3, 4}> { product = MatMul(x, w) y = Relu(product) })");
  const WholeModel half_{parse(R"(g (float16[2, 4] x, int64[1] token) => (float16[2, 1] out)
    <float16[4, 1] v = {1, 2, 3, 4}> { same = Identity(x) t = MatMul(same, v) out = Relu(t) })"),
                         temporary_folder(), DataPlacement::kLinks};
};

TEST_F(ReferenceModels, KnowTheTensorsOfBothModels) {
  const ReferenceModel reference = make(half_);
  EXPECT_TRUE(reference.has("out"));
  EXPECT_FALSE(reference.has("same"));
  EXPECT_THAT(reference.known({"same", "t", "out"}), ElementsAre("t", "out"));
}

TEST_F(ReferenceModels, RunByTheirOwnNamesAndReportByTheOthers) {
  const ReferenceModel reference = make(half_);
  EXPECT_THAT(reference.with_outputs({"out", "t"}).outputs, ElementsAre("y", "product"));
  const Array one = Array::of<float>({1}, {1}), two = Array::of<float>({1}, {2});
  const ArrayMap renamed = reference.renamed({{"product", one}, {"y", two}, {"other", one}});
  ASSERT_EQ(renamed.size(), 2u);
  EXPECT_EQ(renamed.find("t")->get_double(0), 1);
  EXPECT_EQ(renamed.find("out")->get_double(0), 2);
}

TEST_F(ReferenceModels, FeedTheTargetInItsTypes) {
  const ReferenceModel reference = make(half_);
  ValueMap feed;
  feed.set("x", Array::of<float>({2, 4}, std::vector<float>(8, 1.0001F)));
  feed.set("token", Array::of<int64_t>({1}, {5}));
  feed.set("of the float model only", Array::of<float>({1}, {1}));
  const ValueMap numbers = reference.target_numbers(feed), typed = reference.target_feed(feed);
  ASSERT_EQ(typed.size(), 2u);
  EXPECT_EQ(numbers.find("x")->as_tensor()->dtype(), DataType::kFloat32);
  EXPECT_EQ(typed.find("x")->as_tensor()->dtype(), DataType::kFloat16);
  EXPECT_EQ(typed.find("x")->as_tensor()->get_double(0), 1);
  EXPECT_EQ(typed.find("token")->as_tensor()->dtype(), DataType::kInt64);
}

TEST_F(ReferenceModels, LackNoInputOfTheTarget) {
  const WholeModel masked(parse(R"(g (float[2, 4] x, float[2, 4] mask) => (float[2, 1] y)
    <float[4, 1] w = {1, 2, 3, 4}> {
      some = Mul(x, mask) product = MatMul(some, w) y = Relu(product) })"),
                          temporary_folder(), DataPlacement::kLinks);
  EXPECT_THAT([&] { make(masked); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("'float.onnx' has no input like mask"), HasSubstr("half.onnx"))));
}

TEST(Partners, HaveOneShapeAndKindOfNumbers) {
  const Array wide = Array::of<float>({2}, {1, 2});
  EXPECT_TRUE(are_partners(wide, Array::zeros(DataType::kFloat16, {2})));
  EXPECT_FALSE(are_partners(wide, Array::zeros(DataType::kFloat16, {1, 2})));
  EXPECT_FALSE(are_partners(wide, Array::zeros(DataType::kInt8, {2})));
}

}  // namespace
}  // namespace polygraphy
