#include "polygraphy/models/candidates/extract_subset.h"

#include <gmock/gmock.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/candidates/split_at.h"
#include "polygraphy/models/candidates/testdata/names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;

const char* const kModel = R"(<ir_version: 8, opset_import: ["": 17]>
  g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
    a = Relu(x)
    v = Neg(w)
    b = Mul(a, v)
    c = Sin(b)
    d, m = Dropout(c)
    y = Add(d, a)
  })";

TEST(KeepNodes, InTheMiddle) {
  const Model model = graphsurgeon::parse_onnx_text(kModel);
  const Model kept = extract_subset(model, reduction_steps(model), {2, 3});
  EXPECT_THAT(ops(kept), ElementsAre("Neg", "Mul", "Sin"));
  EXPECT_THAT(names(kept.graph->inputs()), ElementsAre("a"));
  EXPECT_THAT(names(kept.graph->outputs()), ElementsAre("c"));
}

TEST(KeepNodes, FarApart) {
  const Model model = graphsurgeon::parse_onnx_text(kModel);
  const Model kept = extract_subset(model, reduction_steps(model), {0, 3, 5});
  EXPECT_THAT(ops(kept), ElementsAre("Relu", "Sin", "Add"));
  EXPECT_THAT(names(kept.graph->inputs()), ElementsAre("x", "b", "d"));
  EXPECT_THAT(names(kept.graph->outputs()), ElementsAre("a", "c", "y"));
}

TEST(KeepNodes, OutputsThatNobodyReadsStayUnmarked) {
  const Model model = graphsurgeon::parse_onnx_text(kModel);
  EXPECT_THAT(names(extract_subset(model, reduction_steps(model), {4}).graph->outputs()),
              ElementsAre("d"));
  EXPECT_EQ(model.graph->nodes().size(), 6u);
}

TEST(KeepNodes, Everything) {
  const Model model = graphsurgeon::parse_onnx_text(kModel);
  const Model kept = extract_subset(model, reduction_steps(model), {0, 2, 3, 4, 5});
  EXPECT_THAT(names(kept.graph->inputs()), ElementsAre("x"));
  EXPECT_THAT(names(kept.graph->outputs()), ElementsAre("y"));
}

}  // namespace
}  // namespace polygraphy
