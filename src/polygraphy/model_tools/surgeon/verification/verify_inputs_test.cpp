#include "polygraphy/model_tools/surgeon/verification/verify_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> generate(const Metadata& inputs, const DataLoaderOptions& options = {}) {
  std::vector<std::string> texts;
  std::string problem;
  Logger silent;
  for (const VerifyInput& each : generate_verify_inputs(inputs, options, problem, silent)) {
    texts.push_back(each.what);
  }
  if (!problem.empty()) texts.push_back(problem);
  return texts;
}

TensorInfo floats(DimList shape) {
  return {DataType::kFloat32, std::move(shape), {}};
}

TEST(VerifyInputs, OfFixedShapesAreOfBothSigns) {
  EXPECT_THAT(generate({{"x", floats({2, 3})}}),
              ElementsAre("x (2, 3); seed 1", "x (2, 3); seed 2, range [-1, 1]"));
}

TEST(VerifyInputs, OfFreeShapesAreOfSeveralSizes) {
  DataLoaderOptions options;
  options.val_range.set("", {0, 1});
  EXPECT_THAT(generate({{"x", floats({"N", 3, Dim()})}, {"y", floats({"N", "M"})}}, options),
              ElementsAre("x (1, 3, 1), y (1, 1); seed 1", "x (2, 3, 3), y (2, 5); seed 1",
                          "x (4, 3, 4), y (4, 4); seed 1"));
}

TEST(VerifyInputs, KeepTheUsersShapesSeedAndIterations) {
  DataLoaderOptions options;
  options.seed = 7;
  options.iterations = 2;
  options.shapes = parse_metadata({"x*:[5,3]"}, {});
  options.val_range.set("x", {0, 1});
  EXPECT_THAT(generate({{"x0", floats({"N", 3})}}, options),
              ElementsAre("x0 (5, 3); seed 7", "x0 (5, 3); seed 8"));
}

TEST(VerifyInputs, OfModelsWithoutInputs) {
  EXPECT_THAT(generate({}), ElementsAre("; seed 1"));
}

TEST(VerifyInputs, SayWhatCannotBeGenerated) {
  EXPECT_THAT(generate({{"x", {DataType::kFloat32, std::nullopt, {}}}}),
              ElementsAre(HasSubstr("Its shape is unknown")));
}

}  // namespace
}  // namespace polygraphy
