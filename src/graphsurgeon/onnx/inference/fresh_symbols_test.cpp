#include "graphsurgeon/onnx/inference/fresh_symbols.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

TEST(FreshSymbolsTest, NamesAreCountedFromZero) {
  const Model model = parse_onnx_text("g (float[N] x) => (float[N] y) { y = Relu (x) }");
  FreshSymbols symbols(model);
  EXPECT_EQ(symbols.createNew("unk__"), "unk__0");
  EXPECT_EQ(symbols.createNew("unk__"), "unk__1");
}

TEST(FreshSymbolsTest, NamesOfTheModelAreLeftOut) {
  const Model model = parse_onnx_text(
      "g (float[unk__0] x, seq(float[unk__2]) s) => (float[unk__0] y) { y = Relu (x) }");
  FreshSymbols symbols(model);
  EXPECT_EQ(symbols.createNew("unk__"), "unk__1");
  EXPECT_EQ(symbols.createNew("unk__"), "unk__3");
}

TEST(FreshSymbolsTest, NamesInSubgraphsCount) {
  const Model model = parse_onnx_text(R"(g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = a () => (float[unk__0] t) { t = Relu (x) },
                  else_branch = b () => (float[unk__1] e) { e = Neg (x) }>
    })");
  FreshSymbols symbols(model);
  EXPECT_EQ(symbols.createNew("unk__"), "unk__2");
}

}  // namespace
}  // namespace graphsurgeon
