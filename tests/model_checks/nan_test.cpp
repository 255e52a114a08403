#include <gmock/gmock.h>

#include <limits>

#include "check_bench.h"

namespace polygraphy {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(CheckNan, FiniteOutputsPass) {
  CheckBench bench;
  bench.start("nan");
  EXPECT_EQ(bench.run("y = Sqrt(x)"), "passed");
}

TEST(CheckNan, NansOutOfFiniteInputsFail) {
  CheckBench bench;
  bench.start("nan");
  EXPECT_EQ(bench.run("t = Neg(x) y = Sqrt(t)"), "NaN or infinity");
  EXPECT_TRUE(bench.log().has("[E] Output 'y' holds NaNs, but the inputs do not (sample 0)"));
}

TEST(CheckNan, TheFirstOutputThatHoldsNansIsNamed) {
  CheckBench bench;
  bench.start("nan");
  bench.run_model(
      "g (float[4] x) => (float[4] a, float[4] b, float[4] c) "
      "{ a = Neg(x) b = Sqrt(a) c = Abs(b) }");
  EXPECT_EQ(bench.output(), "b");
  EXPECT_EQ(bench.run("y = Sqrt(x)"), "passed");
  EXPECT_EQ(bench.output(), "");
}

TEST(CheckNan, InfinitiesOutOfFiniteInputsFail) {
  CheckBench bench({{1, 2, 3, 1000}});
  bench.start("nan");
  EXPECT_EQ(bench.run("y = Exp(x)"), "NaN or infinity");
}

TEST(CheckNan, WhatTheInputsHaveIsNotHeldAgainstTheModel) {
  for (const float value : {kNan, kInfinity}) {
    CheckBench bench({{1, 2, 3, value}});
    bench.start("nan");
    EXPECT_EQ(bench.run("y = Neg(x)"), "passed");
  }
}

TEST(CheckNan, InfinitiesOfMasksPass) {
  CheckBench bench;
  bench.start("nan");
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[4] x) => (float[4] y) <float[4] m = {0, "
      "0, 0, 0}> { y = Add(x, m) }");
  model.graph->initializers()[0]->to_constant(Array::of<float>({4}, {0, 0, -kInfinity, 0}));
  EXPECT_EQ(bench.run_loaded(model), "passed");
  // A NaN that comes of them does not.
  model.graph->initializers()[0]->to_constant(Array::of<float>({4}, {0, 0, kNan, 0}));
  EXPECT_EQ(bench.run_loaded(model), "NaN or infinity");
}

TEST(CheckNan, ASampleBehindAnotherThatIsFine) {
  CheckBench bench({{1, 2, 3, 4}, {1, 2, -3, 4}});
  bench.start("nan");
  EXPECT_EQ(bench.run("y = Log(x)"), "NaN or infinity");
  EXPECT_TRUE(bench.log().has("(sample 1)"));
}

TEST(CheckNan, AModelThatCannotRunPassesWithAWarning) {
  CheckBench bench;
  bench.start("nan");
  EXPECT_EQ(bench.run("y = Reshape(x, s)", "int64[1] s = {5}"), "passed");
  EXPECT_TRUE(bench.log().has("[W] This candidate cannot be run"));
}

TEST(CheckNan, OutputsMayHaveTheNamesOfItems) {
  CheckBench bench;
  bench.start("nan");
  EXPECT_EQ(bench.run_model("g (float[4] x) => (seq(float[4]) s, float[4] \"s[0]\") "
                            "{ s = SequenceConstruct(x, x) \"s[0]\" = Relu(x) }"),
            "passed");
  EXPECT_EQ(bench.run_model("g (float[4] x) => (float[4] \"s[1]\", seq(float[4]) s) "
                            "{ n = Neg(x) r = Sqrt(n) s = SequenceConstruct(x, r) "
                            "\"s[1]\" = Relu(x) }"),
            "NaN or infinity");
  EXPECT_TRUE(bench.log().has("[E] Output 's[1]' holds NaNs"));
}

}  // namespace
}  // namespace polygraphy
