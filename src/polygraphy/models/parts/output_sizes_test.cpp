#include "polygraphy/models/parts/output_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

TEST(OutputSizes, ComeFromTheShapesOfTheInputs) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(R"(
    <ir_version: 8, opset_import: ["" : 13]>
    g (float[N, 4] x) => (float[N, 4] y, float16[4, N] h, int64[K, L] z) {
      y = Relu(x)
      t = Transpose(x)
      h = Cast<to = 10>(t)
      z = NonZero(x)
    })");
  const auto sizes = output_sizes(model, {{"x", Array::zeros(DataType::kFloat32, {3, 4})}});
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes[0].bytes, 48U);
  EXPECT_EQ(sizes[1].bytes, 24U);
  EXPECT_EQ(sizes[2].bytes, std::nullopt);
}

}  // namespace
}  // namespace polygraphy
