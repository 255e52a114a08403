#include "polygraphy/models/loaders/opset_version.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;

std::optional<OpsetNeed> needed(std::string_view text) {
  return needed_opset(parse_onnx_text(text));
}

TEST(NeededOpset, IsThatOfTheNewestOperatorForm) {
  const auto need =
      needed(R"(<ir_version: 10, opset_import: ["": 21]> g (float[2] x) => (float[2] y) {
                                a = Abs (x) [n] b = Relu (a) y = Neg (b) })");
  ASSERT_TRUE(need);
  EXPECT_EQ(need->version, 14);
  EXPECT_EQ(need->reason, "node 'n' is a Relu of opset 14");
}

TEST(NeededOpset, LooksIntoSubgraphs) {
  EXPECT_EQ(
      needed(R"(<ir_version: 10, opset_import: ["": 21]> g (bool c, float[2] x) => (float[2] y) {
                        y = If (c) <then_branch = t () => (float[2] a) { a = Gelu (x) },
                                    else_branch = e () => (float[2] b) { b = Neg (x) }> })")
          ->version,
      21);  // If-21
  EXPECT_EQ(
      needed(R"(<ir_version: 8, opset_import: ["": 20]> g (bool c, float[2] x) => (float[2] y) {
                        y = If (c) <then_branch = t () => (float[2] a) { a = Gelu (x) },
                                    else_branch = e () => (float[2] b) { b = Neg (x) }> })")
          ->reason,
      "node '' is a Gelu of opset 20");
}

constexpr std::string_view kFunction = R"(
    <ir_version: 10, opset_import: ["": 21, "here": 1]> g (float[2] x) => (float[2] y) { y = here.f (x) }
    <domain: "here", opset_import: ["": 20]> f (a) => (b) { b = Gelu (a) })";

TEST(NeededOpset, FunctionsObeyTheirOwnImports) {
  EXPECT_EQ(needed(kFunction)->version, 20);
}

TEST(NeededOpset, NobodyKnowsForUnknownOperatorsAndOpsets) {
  EXPECT_FALSE(needed("g (float[2] x) => (float[2] y) { y = Teleport (x) }"));
  EXPECT_FALSE(needed(
      R"(<ir_version: 10, opset_import: ["": 5]> g (float[2] x) => (float[2] y) { y = Gelu (x) })"));
  // Operators of other domains do not matter.
  EXPECT_EQ(needed(R"(<ir_version: 10, opset_import: ["": 21, "far.away": 1]>
                      g (float[2] x) => (float[2] y) { y = far.away.Teleport (x) })")
                ->version,
            1);
}

TEST(LowerOpset, OfModelAndFunctionsButNeverRaises) {
  Model model = parse_onnx_text(kFunction);
  lower_opset(model, 20);
  EXPECT_EQ(model.opset(), 20);
  EXPECT_EQ(model.opset_imports[1].version, 1);
  EXPECT_EQ(model.functions[0]->opset_imports[0].version, 20);
  lower_opset(model, 25);
  EXPECT_EQ(model.opset(), 20);
}

}  // namespace
}  // namespace polygraphy
