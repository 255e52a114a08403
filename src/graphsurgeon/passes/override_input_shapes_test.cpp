#include "graphsurgeon/passes/override_input_shapes.h"

#include <gtest/gtest.h>

#include "base/log.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/testdata/texts.h"

namespace graphsurgeon {
namespace {

std::string overridden(std::string_view text, const std::string& input, DimList shape,
                       bool infer = false) {
  Model model = parse_onnx_text(text);
  override_input_shapes(model, {{find_all(model, {input}).front(), std::move(shape)}});
  polygraphy::Logger log;
  if (infer) infer_shapes(model, {}, log);
  return graph_text(model);
}

constexpr std::string_view kModel = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N,3] x, float[3] k) => (float[N,3] y) <float[3] w = {1, 2, 3}, float[N,3] a, float[N,3] b> {
  a = Mul (x, w)
  b = Add (a, k)
  y = Relu (b)
})";

TEST(OverrideInputShapes, OthersLoseTheirs) {
  EXPECT_EQ(overridden(kModel, "x", {5, 3}), R"(g (float[5,3] x, float[3] k) => (float[?,?] y)
   <float[3] w =  {1,2,3}, float[] a, float[] b>
{
   a = Mul (x, w)
   b = Add (a, k)
   y = Relu (b)
})");
}

TEST(OverrideInputShapes, InferenceFindsTheNewOnes) {
  EXPECT_EQ(overridden(kModel, "x", {5, 3}, true),
            R"(g (float[5,3] x, float[3] k) => (float[5,3] y)
   <float[3] w =  {1,2,3}, float[5,3] a, float[5,3] b>
{
   a = Mul (x, w)
   b = Add (a, k)
   y = Relu (b)
})");
}

TEST(OverrideInputShapes, ReachesIntoSubgraphs) {
  const std::string text = overridden(R"(<ir_version: 10, opset_import: ["" : 17]>
g (int64 n, bool c, float[4] x) => (float[4] y) {
  y = Loop (n, c, x) <body = b (int64 i, bool k, float[4] s) => (bool k_out, float[4] t) {
    k_out = Identity (k)
    t = Add (s, s)
  }>
})",
                                      "x", {7}, true);
  EXPECT_EQ(text.find("[4]"), std::string::npos) << text;
  EXPECT_NE(text.find("float[7] x"), std::string::npos) << text;
}

// ONNX Runtime runs no Loop with an iteration number without a shape, and no Scan with results
// without shapes: not even where inference cannot find them again.
TEST(OverrideInputShapes, EndsOfBodiesKeepTheirRanks) {
  const std::string text = overridden(R"(<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
g (int64 n, bool c, float[4] x) => (float[4] y) {
  u = my.Unknown (x)
  y = Loop (n, c, u) <body = b (int64 i, bool k, float[4] s) => (bool k_out, float[4] t) {
    k_out = Identity (k)
    t = my.Unknown (s)
  }>
})",
                                      "x", {7}, true);
  EXPECT_NE(text.find("b (int64 i, bool k, float[?] s) => (bool k_out, float[?] t)"),
            std::string::npos)
      << text;
}

// The standard wants a shape of each output.
TEST(OverrideInputShapes, OutputsKeepTheirRanks) {
  const std::string model = R"(<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
g (float[4] x) => (float[4,2] y) { y = my.Unknown (x) })";
  EXPECT_NE(overridden(model, "x", {7}, true).find("=> (float[?,?] y)"), std::string::npos);
  EXPECT_EQ(overridden(model, "x", {7, 7}, true).find("float[?,?]"), std::string::npos);
}

}  // namespace
}  // namespace graphsurgeon
