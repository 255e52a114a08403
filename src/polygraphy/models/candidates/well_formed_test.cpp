#include "polygraphy/models/candidates/well_formed.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

Model model(const std::string& nodes) {
  return graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 3] x) => (float[m, n] y) { )" +
                                       nodes + " }");
}

TEST(WellFormed, NoMoreFaultIsAcceptedThanTheModelHasItself) {
  const Model right = model("y = Transpose <perm = [1, 0]> (x)");
  const Model wrong = model("y = Transpose <perm = [2, 0, 1]> (x)");
  WellFormed beside_right(right), beside_wrong(wrong);
  EXPECT_FALSE(beside_right.is_contradiction());
  EXPECT_TRUE(beside_wrong.is_contradiction());
  Model candidate = model("y = Transpose <perm = [2, 0, 1]> (x)");
  EXPECT_FALSE(beside_right.accepts(candidate));
  EXPECT_TRUE(beside_wrong.accepts(candidate));
}

}  // namespace
}  // namespace polygraphy
