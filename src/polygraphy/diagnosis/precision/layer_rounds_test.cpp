#include "polygraphy/diagnosis/precision/layer_rounds.h"

#include <gtest/gtest.h>

namespace polygraphy {
namespace {

NetworkLayer layer(const char* type, DataType output, bool executed = true) {
  NetworkLayer layer;
  layer.type = type;
  layer.executed = executed;
  layer.outputs = {{"y", {.dtype = output}}};
  return layer;
}

TEST(LayerRounds, ConstantsShapesAndIntegersTakeNoPrecision) {
  EXPECT_TRUE(takes_precision(layer("CONVOLUTION", DataType::kFloat32)));
  EXPECT_TRUE(takes_precision(layer("QUANTIZE", DataType::kInt8)));
  EXPECT_FALSE(takes_precision(layer("CONSTANT", DataType::kFloat32)));
  EXPECT_FALSE(takes_precision(layer("GATHER", DataType::kInt64)));
  EXPECT_FALSE(takes_precision(layer("SHAPE", DataType::kFloat32, false)));
}

TEST(LayerRounds, OptionsMustAllowSomethingLower) {
  const auto code_of = [](const PrecisionJob& job) -> ErrorCode {
    Logger silent;
    try {
      check_precisions(job, silent);
    } catch (const Error& error) {
      return error.code();
    }
    return {};
  };
  PrecisionJob job;
  EXPECT_EQ(code_of(job), kNoLowerPrecision);
  job.engine.runner.session.options = {{"int8", {}}};
  EXPECT_FALSE(code_of(job));
  job.precision = DataType::kFloat16;
  EXPECT_EQ(code_of(job), kHigherPrecisionOff);
  job.engine.runner.session.options.emplace_back("fp16", std::vector<std::string>{});
  EXPECT_FALSE(code_of(job));
}

}  // namespace
}  // namespace polygraphy
