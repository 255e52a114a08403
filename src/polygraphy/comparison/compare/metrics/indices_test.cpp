#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

class IndicesTest : public testing::Test {
 protected:
  bool passes(const Array& a, const Array& b, int64_t tolerance = 0) {
    options_.numbers["index_tolerance"] = {{"", tolerance}};
    return make_function(*find_metric("indices"), options_)
        ->compare({"y", "y", "R0", "R1", a, b}, log_.log())
        .passed;
  }

  MetricOptions options_;
  LogText log_;
};

const Array kA = Array::of<int64_t>({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3});
const Array kB = Array::of<int64_t>({2, 2, 3}, {2, 1, 3, 4, 6, 5, 9, 8, 7, 1, 2, 4});

TEST_F(IndicesTest, EveryRowIsAListOfItsOwn) {
  EXPECT_FALSE(passes(kA, kB));
  std::string expected;
  for (int i = 0; i < 6; ++i) expected += "[E] FAILED | Difference exceeds index tolerance (0)\n";
  EXPECT_EQ(log_.take(), expected + "[E] FAILED | Value: 3 not found in output\n");
}

TEST_F(IndicesTest, ToleranceAllowsMovesAndIgnoresTheEnd) {
  EXPECT_FALSE(passes(kA, kB, 1));
  EXPECT_EQ(log_.take(), "[E] FAILED | Difference exceeds index tolerance (1)\n");
  EXPECT_TRUE(passes(kA, kB, 2));
  EXPECT_EQ(log_.take(), "[I] PASSED | Difference is within index tolerance (2)\n");
  EXPECT_TRUE(passes(kA, kB, 7)) << "more than a row has";
}

TEST_F(IndicesTest, FailFastStopsAtOnce) {
  options_.fail_fast = true;
  EXPECT_FALSE(passes(kA, kB));
  EXPECT_EQ(log_.take(), "[E] FAILED | Difference exceeds index tolerance (0)\n");
}

TEST_F(IndicesTest, TheFirstOfEqualValuesCounts) {
  EXPECT_TRUE(passes(Array::of<int32_t>({3}, {1, 1, 2}), Array::of<int32_t>({3}, {2, 1, 1}), 1));
}

TEST_F(IndicesTest, ValuesAreComparedAcrossTypesAndPrintedAsPythonDoes) {
  EXPECT_TRUE(passes(Array::of<int32_t>({2}, {1, 2}), Array::of<double>({2}, {1, 2})));
  log_.take();
  EXPECT_FALSE(passes(Array::of<float>({2}, {0.1f, 0.2f}), Array::of<float>({2}, {0.1f, 0.3f})));
  EXPECT_EQ(log_.take(), "[E] FAILED | Value: 0.20000000298023224 not found in output\n");
  EXPECT_FALSE(passes(Array::of<bool>({2}, {true, false}), Array::of<bool>({2}, {true, true})));
  EXPECT_EQ(log_.take(), "[E] FAILED | Value: False not found in output\n");
  EXPECT_FALSE(passes(Array::from_strings({1}, {"b"}), Array::from_strings({1}, {"c"})));
  EXPECT_EQ(log_.take(), "[E] FAILED | Value: b not found in output\n");
  const Array nan = Array::of<double>({1}, {NAN});
  EXPECT_FALSE(passes(nan, nan));
  EXPECT_EQ(log_.take(), "[E] FAILED | Value: nan not found in output\n");
}

TEST_F(IndicesTest, ScalarsAndEmptyOutputs) {
  EXPECT_TRUE(passes(Array::of<int64_t>({}, {3}), Array::of<int64_t>({}, {3})));
  EXPECT_FALSE(passes(Array::of<int64_t>({}, {3}), Array::of<int64_t>({}, {4})));
  for (const Shape& shape : {Shape{0, 3}, Shape{2, 0}}) {
    const Array empty = Array::zeros(DataType::kInt32, shape);
    EXPECT_TRUE(passes(empty, empty));
  }
}

TEST_F(IndicesTest, ShapesMustBeEqual) {
  EXPECT_FALSE(passes(kA, kA.reshaped({4, 3})));
  EXPECT_EQ(log_.take(), "[E] Cannot compare outputs of different shapes.\n");
}

TEST_F(IndicesTest, ToleranceMustNotBeNegative) {
  EXPECT_THROW(passes(kA, kA, -1), Error);
}

}  // namespace
}  // namespace polygraphy
