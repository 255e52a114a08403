#include "graphsurgeon/fold/required_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/fold/fold_passes.h"
#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

std::string dims(const Tensor& tensor) {
  std::string text;
  for (const Dim& dim : *tensor.declared_shape()) {
    if (!text.empty()) text += ',';
    text += dim.has_value() ? std::to_string(dim.value()) : dim.param().empty() ? "?" : dim.param();
  }
  return text;
}

struct Sized {
  std::string inputs;  // "2,N 3"
  std::string nodes;
  std::string log;
};

// Folds in one pass, and expects that doing it again changes nothing.
Sized sized(std::string_view text, FoldPassesOptions options = {}) {
  Sized result;
  Model model = parse_onnx_text(text);
  polygraphy::Logger logger(
      [&](polygraphy::Severity, std::string_view t) { result.log.append(t).append("\n"); });
  logger.set_severity(polygraphy::Severity::kVerbose);
  options.max_passes = 1;
  fold_to_fixed_point(model, options, logger);
  const std::string once = to_onnx_text(model);
  for (const TensorRef& input : model.graph->inputs()) {
    result.inputs += (result.inputs.empty() ? "" : " ") + dims(*input);
  }
  result.nodes = node_list(*model.graph);
  polygraphy::Logger silent;
  fold_to_fixed_point(model, options, silent);
  EXPECT_EQ(to_onnx_text(model), once);
  return result;
}

std::string required(std::string_view text) {
  const Model model = parse_onnx_text(text);
  std::string result;
  for (const RequiredSize& one : required_sizes(*model.graph->nodes()[0])) {
    result += std::string(one.tensor->name()) + '[' + std::to_string(one.axis) +
              "]=" + std::to_string(one.size);
  }
  return result;
}

TEST(RequiredSizes, AMatrixProductHasOneInnerSize) {
  EXPECT_EQ(required("g (float[2, N] x, float[3, 4] w) => (float[2, 4] y) { y = MatMul (x, w) }"),
            "x[1]=3");
  EXPECT_EQ(required("g (float[2, 3] x, float[5, N, 4] w) => (y) { y = MatMul (x, w) }"), "w[1]=3");
  EXPECT_EQ(required("g (float[2, N] x, float[3] w) => (y) { y = MatMul (x, w) }"), "x[1]=3");
  EXPECT_EQ(required("g (float[N] x, float[3, 4] w) => (y) { y = MatMul (x, w) }"), "x[0]=3");
  EXPECT_EQ(required("g (float[N, 2] x, float[4, 3] w) => (y) "
                     "{ y = Gemm <transA = 1, transB = 1> (x, w) }"),
            "x[0]=3");
  EXPECT_EQ(required("g (float[N, 2] x, float[2, 3] w) => (y) { y = MatMul (x, w) }"), "");
  EXPECT_EQ(required("g (float[2, N] x, float[M, 3] w) => (y) { y = MatMul (x, w) }"), "");
}

TEST(RequiredSizes, AConvolutionHasOneNumberOfChannels) {
  EXPECT_EQ(required("g (float[1, C, 8, 8] x, float[6, 2, 3, 3] w) => (y) "
                     "{ y = Conv <group = 3> (x, w) }"),
            "x[1]=6");
  EXPECT_EQ(required("g (float[1, 6, 8, 8] x, float[6, C, 3, 3] w) => (y) "
                     "{ y = Conv <group = 3> (x, w) }"),
            "w[1]=2");
  EXPECT_EQ(required("g (float[1, C, 8, 8] x, float[6, 2, 3, 3] w) => (y) "
                     "{ y = ConvTranspose <group = 3> (x, w) }"),
            "x[1]=6");
}

TEST(RequiredSizes, ThePartsOfASplitMakeTheWhole) {
  EXPECT_EQ(required(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (a, b) <int64[2] parts = {1, 2}> { a, b = Split <axis = -1> (x, parts) })"),
            "x[1]=3");
  EXPECT_EQ(required(R"(<ir_version: 6, opset_import: ["": 11]>
      g (float[N] x) => (a, b) { a, b = Split <split = [4, 0]> (x) })"),
            "x[0]=4");
  EXPECT_EQ(required(R"(<ir_version: 6, opset_import: ["": 11]>
      g (float[N] x) => (a, b) { a, b = Split (x) })"),
            "");
}

// A size of 1 would be repeated; an empty tensor would be skipped.
TEST(RequiredSizes, WhatIsRepeatedOrSkippedHasAChoice) {
  EXPECT_EQ(required("g (float[2, N] x, float[2, 3] w) => (y) { y = Add (x, w) }"), "");
  EXPECT_EQ(required("g (float[N, 2] x, float[3, 4] w) => (y) { y = Concat <axis = 1> (x, w) }"),
            "");
}

TEST(RequiredSizes, TheSizeIsThatOfTheInputAndCountsBeforeTheNodeToo) {
  const Sized model = sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (int64[2] s, float[2, 1] y) <float[3, 1] w = {1, 2, 3}> {
        a = Relu (x)
        s = Shape (a)
        [mm] y = MatMul (a, w)
      })");
  EXPECT_EQ(model.inputs, "2,3");
  EXPECT_EQ(model.nodes, "a = Relu(x); y = MatMul(a, w)");
  EXPECT_THAT(model.log, HasSubstr("Input 'x' has a dynamic dimension that can only be 3: node "
                                   "'mm' (MatMul) does not run with another size"));
}

TEST(RequiredSizes, TheSizeStaysWhenTheNodeGoes) {
  const Sized model = sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (int64[2] s, int64 y) <float[3, 1] w = {1, 2, 3}> {
        s = Shape (x)
        p = MatMul (x, w)
        y = Size (p)
      })");
  EXPECT_EQ(model.inputs, "2,3");
  EXPECT_EQ(model.nodes, "");
}

TEST(RequiredSizes, DimensionsWithoutANameAreFollowedToo) {
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, ?] x) => (float[2, 1] y) <float[3, 1] w = {1, 2, 3}> { y = MatMul (x, w) })")
                .inputs,
            "2,3");
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[?, ?] x) => (float[?, 1] y) <float[3, 1] w = {1, 2, 3}>
      { a = Relu (x) b = Transpose <perm = [1, 0]> (a) c = Transpose <perm = [1, 0]> (b)
        y = MatMul (c, w) })")
                .inputs,
            "?,3");
}

TEST(RequiredSizes, ADimensionWithoutANameIsEqualToItself) {
  const Sized model = sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[?, 3, 4] x) => (float[?, ?] y, int64 size)
      <int64[1] zero = {0}, int64[1] minus = {-1}, int64 one = {1}> {
        a = Relu (x)
        s = Shape (x)
        n = Gather (s, zero)
        to = Concat <axis = 0> (n, minus)
        y = Reshape (a, to)
        t = Shape (y)
        size = Gather (t, one)
      })");
  EXPECT_EQ(model.inputs, "?,3,4");
  EXPECT_EQ(model.nodes,
            "a = Relu(x); s = Shape(x); n = Gather(s, zero); to = Concat(n, minus); "
            "y = Reshape(a, to)");
}

// Shape inference of the onnx library gives these names to dimensions of tensors in between.
TEST(RequiredSizes, NamesThatWereMadeUpGiveWay) {
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (float[2, 1] y) <float[3, 1] w = {1, 2, 3}, float[2, unk__0] a>
      { a = Relu (x) y = MatMul (a, w) })")
                .inputs,
            "2,3");
}

// Runtimes take inputs of different sizes although these have one name.
TEST(RequiredSizes, ANameOfSeveralInputsIsNotSized) {
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x, float[N] z) => (float[2, 1] y, int64[1] s) <float[3, 1] w = {1, 2, 3}> {
        a = Relu (x)
        y = MatMul (a, w)
        s = Shape (z)
      })")
                .inputs,
            "2,N N");
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x, float[N] z) => (float[2, 1] y, int64[1] s) <float[3, 1] w = {1, 2, 3}> {
        y = MatMul (x, w)
        s = Shape (z)
      })")
                .inputs,
            "2,3 N");
}

// Runtimes only warn of outputs that differ from their declarations.
TEST(RequiredSizes, ADeclaredOutputRequiresNothing) {
  const Sized model = sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (float[2, 4] y, int64[2] s) { y = Relu (x) s = Shape (x) })");
  EXPECT_EQ(model.inputs, "2,N");
  EXPECT_EQ(model.nodes, "y = Relu(x); s = Shape(x)");
}

TEST(RequiredSizes, ANodeThatMayNotRunRequiresNothing) {
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (bool c, float[2, N] x) => (float[2, M] y) <float[3, 1] w = {1, 2, 3}> {
        y = If (c) <then_branch = a () => (float[2, K] t) { t = MatMul (x, w) },
                    else_branch = b () => (float[2, L] e) { e = Neg (x) }>
      })")
                .inputs,
            "2,N");
}

TEST(RequiredSizes, WeightsThatCallersMayReplaceRequireNothing) {
  constexpr std::string_view kText = R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x, float[3, 1] w = {1, 2, 3}) => (float[2, 1] y) { y = MatMul (x, w) })";
  FoldPassesOptions options;
  options.fold.keep_input_defaults = true;
  EXPECT_EQ(sized(kText, options).inputs, "2,N 3,1");
  EXPECT_EQ(sized(kText).inputs, "2,3 3,1");
}

TEST(RequiredSizes, WithoutFoldingOfShapesInputsStay) {
  FoldPassesOptions options;
  options.fold.fold_shapes = false;
  EXPECT_EQ(sized(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[2, N] x) => (float[2, 1] y) <float[3, 1] w = {1, 2, 3}> { y = MatMul (x, w) })",
                  options)
                .inputs,
            "2,N");
}

}  // namespace
}  // namespace graphsurgeon
