#include "polygraphy/models/noise/result_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(ResultFormats, TypesFollowFromCasts) {
  const auto model = graphsurgeon::parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (float[2] x) => (float[2] y, int64[1] s) {
      h = Cast <to = 10> (x) e = Exp (h) y = Cast <to = 1> (e) s = Shape (x)
    })");
  EXPECT_THAT(result_formats(model), UnorderedElementsAre(Pair("h", NumberFormat::kFloat16),
                                                          Pair("e", NumberFormat::kFloat16),
                                                          Pair("y", NumberFormat::kFloat32)));
}

}  // namespace
}  // namespace polygraphy
