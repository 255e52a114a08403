#include "polygraphy/data/tensors/graph_metadata.h"

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

// A sequence is known by its items, an optional by what it holds.
TEST(GraphMetadata, OfWhatContainersHold) {
  const auto model = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 18]>
    g (seq(float[N,2]) s, optional(int64[3]) o, optional(seq(string)) p, seq(double[]) q) => (int64 n)
    { n = SequenceLength(s) })");
  const Metadata inputs = metadata_of_variables(model.graph->inputs());
  const TensorInfo &s = *inputs.find("s"), &o = *inputs.find("o"), &q = *inputs.find("q");
  EXPECT_EQ(s.kind, ValueKind::kSequence);
  EXPECT_EQ(o.kind, ValueKind::kOptional);
  EXPECT_EQ(s.dtype, DataType::kFloat32);
  EXPECT_FALSE(s.shape);
  ASSERT_TRUE(s.item_shape);
  EXPECT_EQ(shape_text(*s.item_shape), "('N', 2)");
  EXPECT_EQ(to_text("o", o), "o [dtype=int64, shape=(3,)]");
  EXPECT_FALSE(o.item_shape);
  EXPECT_EQ(inputs.find("p")->dtype, DataType::kString);
  EXPECT_EQ(q.dtype, DataType::kFloat64);
  EXPECT_FALSE(q.item_shape) << "its items may be of any rank";
}

}  // namespace
}  // namespace polygraphy
