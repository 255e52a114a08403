#include "graphsurgeon/passes/multiplications.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

double of(const char* text) {
  return multiplications(*parse_onnx_text(text).graph->nodes()[0]);
}

TEST(Multiplications, OfProductsOfMatrices) {
  EXPECT_EQ(of("g (float[5,2,3] x, float[3,4] w) => (float[5,2,4] y) { y = MatMul (x, w) }"),
            5 * 2 * 4 * 3);
  EXPECT_EQ(of("g (float[3,2] x, float[3,4] w) => (float[2,4] y) { y = Gemm <transA = 1> (x, w) }"),
            2 * 4 * 3);
}

TEST(Multiplications, OfConvolutions) {
  EXPECT_EQ(of("g (float[1,4,8,8] x, float[6,2,3,3] w) => (float[1,6,6,6] y)"
               " { y = Conv <group = 2> (x, w) }"),
            6 * 6 * 6 * 2 * 3 * 3);
  EXPECT_EQ(of("g (float[1,4,8,8] x, float[4,6,3,3] w) => (float[1,6,10,10] y)"
               " { y = ConvTranspose (x, w) }"),
            4 * 8 * 8 * 6 * 3 * 3);
}

TEST(Multiplications, OpenDimensionsCountAsOne) {
  EXPECT_EQ(of("g (float[N,3] x, float[3,4] w) => (float[N,4] y) { y = MatMul (x, w) }"), 3 * 4);
}

TEST(Multiplications, OthersHaveNone) {
  EXPECT_EQ(of("g (float[5] x, float[5] w) => (float[5] y) { y = Mul (x, w) }"), 0);
  EXPECT_EQ(of("g (float x, float[3,4] w) => (float y) { y = MatMul (x, w) }"), 0);
}

}  // namespace
}  // namespace graphsurgeon
