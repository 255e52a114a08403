#include "polygraphy/diagnosis/locate/models/spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

// Two layers that read the same quantised tensor.
WholeModel quantized() {
  return {graphsurgeon::parse_onnx_text(R"(<ir_version: 10, opset_import: ["": 21]>
    g (float[2, 2] x) => (float[2, 2] y)
    <float s = {0.1}, int8 z = {0}, float[2, 2] v, float[2, 2] w> {
    q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z)
    a = MatMul(d, v) b = MatMul(d, w) y = Add(a, b) })"),
          ""};
}

bool has(const std::string& tensor) {
  static const std::set<std::string> kKnown = {"x", "a", "b", "y"};
  return kKnown.contains(tensor);
}

TEST(Spans, ReachBackToKnownTensors) {
  const WholeModel model = quantized();
  EXPECT_THAT(span_before(model, 2, has), ElementsAre(0, 1, 2));
  EXPECT_THAT(span_before(model, 4, has), ElementsAre(4));
}

TEST(Spans, OfNodesWithoutKnownTensorsAreLeftOut) {
  const WholeModel model = quantized();
  EXPECT_THAT(with_spans(model, {1}, has), ElementsAre(1));
  EXPECT_THAT(with_spans(model, {3, 4}, has), ElementsAre(0, 1, 3, 4));
}

TEST(Spans, ThatShareANodeRunOneAfterTheOther) {
  EXPECT_THAT(
      span_rounds(quantized(), {0, 1, 2, 3, 4}, has),
      ElementsAre(ElementsAre(NodePart{0, 1, 2}, NodePart{4}), ElementsAre(NodePart{0, 1, 3})));
}

}  // namespace
}  // namespace polygraphy
