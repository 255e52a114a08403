#include "polygraphy/data/graph_metadata.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

TEST(GraphMetadata, OfVariablesOnly) {
  const auto model = graphsurgeon::parse_onnx_text(R"(<ir_version: 3, opset_import: ["": 8]>
    g (float[N,2] x, int64[1] w, string s) => (float[N,2] y) <int64[1] w = {1}> { y = Relu(x) })");
  EXPECT_EQ(to_text(metadata_of_variables(model.graph->inputs())),
            "{x [dtype=float32, shape=('N', 2)],\n s [dtype=string, shape=()]}");
}

}  // namespace
}  // namespace polygraphy
