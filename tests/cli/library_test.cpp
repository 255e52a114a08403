// The command line and the C++ libraries do the same: what a command writes is, byte for byte, what
// a program gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/silent_log.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"
#include "polygraphy/backend/onnxrt_evaluator.h"
#include "polygraphy/model_loaders.h"

namespace polygraphy::cli {
namespace {

// Takes several passes: what the evaluator computes decides a shape, and that the If.
constexpr std::string_view kSeveralPasses = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3] x) => (float[] y, float[2,3] z) <float[2] w = {1, 4}, float two = {2}> {
  root = Sqrt (w)
  power = Erf (root)
  shape = Shape (power)
  size = Size (shape)
  one = Constant <value = int64 {1}> ()
  flat = Equal (size, one)
  y = If (flat) <then_branch = T () => (float[6] t) {
                   m = Constant <value = int64[1] {-1}> ()
                   t = Reshape (x, m)
                 },
                 else_branch = E () => (float[2,3] e) { e = Abs (x) }>
  z = Mul (x, two)
})";

// 64 MiB out of a few bytes: more than the budget.
constexpr std::string_view kFill = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[4096] x) => (float[4096,4096] y) {
  shape = Constant <value = int64[2] {4096, 4096}> ()
  fill = ConstantOfShape (shape)
  y = Add (x, fill)
})";

class Library : public testing::TestWithParam<std::string_view> {
 protected:
  Library() {
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(GetParam()), path("m.onnx"));
    fold_.evaluator = evaluator_.get();
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void run(std::vector<std::string> args) {
    args.insert(args.begin(), {"surgeon", "sanitize", "m.onnx", "-o", "cli.onnx"});
    EXPECT_EQ(run_in_process(args, {.root = folder_.path()}).code, 0);
  }

  TemporaryFolder folder_;
  Logger silent_;
  std::unique_ptr<graphsurgeon::Evaluator> evaluator_ = default_evaluator(silent_, PG_BINARY_DIR);
  graphsurgeon::FoldOptions fold_;
};

TEST_P(Library, FoldConstants) {
  run({"--fold-constants"});
  SaveOnnx(InferShapes(FoldConstants(InferShapes(path("m.onnx")), fold_)), path("api.onnx"))();
  EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
}

TEST_P(Library, FoldConstantsWithoutShapes) {
  run({"--fold-constants", "--no-shape-inference"});
  fold_.infer_shapes = false;
  SaveOnnx(FoldConstants(path("m.onnx"), fold_), path("api.onnx"))();
  EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
}

INSTANTIATE_TEST_SUITE_P(Models, Library, testing::Values(kSeveralPasses, kFill));

}  // namespace
}  // namespace polygraphy::cli
