#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

Folded compute(const std::string& type, const std::string& node) {
  return fold(
      "<ir_version: 8, opset_import: [\"\" : 17]> g () => (" + type +
      " y)"
      "<int64[3] a = {1, 2, 3}, int64 two = {2}, bool[3] p = {1, 0, 1}, bool q = {0}> { y = " +
      node + " }");
}

TEST(Comparison, OfNumbers) {
  EXPECT_EQ(compute("bool[3]", "Equal (a, two)").constant("y"), "bool[3]{0,1,0}");
  EXPECT_EQ(compute("bool[3]", "Greater (a, two)").constant("y"), "bool[3]{0,0,1}");
  EXPECT_EQ(compute("bool[3]", "Less (a, two)").constant("y"), "bool[3]{1,0,0}");
  EXPECT_EQ(compute("bool[3]", "GreaterOrEqual (a, two)").constant("y"), "bool[3]{0,1,1}");
  EXPECT_EQ(compute("bool[3]", "LessOrEqual (a, two)").constant("y"), "bool[3]{1,1,0}");
}

TEST(Comparison, Logic) {
  EXPECT_EQ(compute("bool[3]", "And (p, q)").constant("y"), "bool[3]{0,0,0}");
  EXPECT_EQ(compute("bool[3]", "Or (p, q)").constant("y"), "bool[3]{1,0,1}");
  EXPECT_EQ(compute("bool[3]", "Xor (p, p)").constant("y"), "bool[3]{0,0,0}");
  EXPECT_EQ(compute("bool[3]", "Not (p)").constant("y"), "bool[3]{0,1,0}");
}

TEST(Comparison, WhereRepeatsEachOfItsInputs) {
  EXPECT_EQ(compute("int64[3]", "Where (p, a, two)").constant("y"), "int64[3]{1,2,3}");
  EXPECT_EQ(compute("int64[3]", "Where (q, two, a)").constant("y"), "int64[3]{1,2,3}");
}

TEST(Comparison, NanIsNotEqualToItself) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g () => (bool[1] y) <float[1] a = {0}> {
      nan = Div (a, a)
      y = Equal (nan, nan)
    })");
  EXPECT_EQ(folded.constant("y"), "bool[1]{0}");
}

}  // namespace
}  // namespace graphsurgeon
