// The command line and the C++ libraries do the same: what a command writes is, byte for byte, what
// a program gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"
#include "polygraphy/backend/onnxrt_evaluator.h"
#include "polygraphy/inspect/inspect_model.h"
#include "polygraphy/inspect/inspect_sparsity.h"
#include "polygraphy/model_loaders.h"
#include "polygraphy/surgeon/diff.h"
#include "polygraphy/surgeon/extract.h"
#include "polygraphy/surgeon/insert.h"
#include "polygraphy/surgeon/prune.h"
#include "polygraphy/surgeon/sanitize.h"
#include "polygraphy/surgeon/weight_reconstruct.h"
#include "polygraphy/surgeon/weight_strip.h"

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

// The jobs of the surgeon, one call each.
class Jobs : public testing::Test {
 protected:
  Jobs() { save("m.onnx", kMatMuls); }
  void save(const std::string& name, std::string_view text) const {
    graphsurgeon::save_model(graphsurgeon::parse_onnx_text(text), path(name));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  SurgeryFiles files(const std::string& model = "m.onnx") const {
    SurgeryFiles files;
    files.model.path = path(model);
    files.output.path = files.output.typed = path("api.onnx");
    return files;
  }
  // Runs `surgeon <args>` and compares what it writes with what the job wrote.
  void expect_same(std::vector<std::string> args) {
    args.insert(args.begin(), "surgeon");
    args.insert(args.end(), {"-o", "cli.onnx"});
    EXPECT_EQ(run_in_process(args, {.root = folder_.path()}).code, 0);
    EXPECT_EQ(folder_.read("cli.onnx"), folder_.read("api.onnx"));
  }
  static ObservedRun observed_run() {
    ObservedRun run;
    run.plugins.plugin_dirs = {std::string(PG_BINARY_DIR) + "/lib/polygraphy/backends"};
    run.plugins.bundled = {std::string(PG_BINARY_DIR) + "/lib/polygraphy/engines"};
    return run;
  }

  static constexpr std::string_view kMatMuls = R"(<ir_version: 10, opset_import: ["" : 17]>
g (float[N,8] x) => (float[N,4] y) <float[8,8] v = {
    1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8,
    1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8, 1,2,3,4,5,6,7,8},
  float[8,4] w = {1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8, 1,2,3,4, 5,6,7,8}> {
  a = MatMul (x, v)
  unused = Relu (a)
  b = Relu (a)
  y = MatMul (b, w)
})";
  TemporaryFolder folder_;
  Logger silent_;
};

TEST_F(Jobs, Sanitize) {
  SanitizeOptions options;
  options.files = files();
  options.files.model.shape_inference = true;
  options.cleanup = options.toposort = true;
  options.input_shapes.set("x", {DataType::kUndefined, DimList{2, 8}, {}});
  options.fold.emplace();
  options.run = observed_run();
  options.verify.emplace();
  const Sanitized result = sanitize(options, silent_);
  EXPECT_EQ(result.verdict, Verification::kSame);
  EXPECT_EQ(result.model.graph->nodes().size(), 3u);
  expect_same({"sanitize", "m.onnx", "--cleanup", "--toposort", "--override-input-shapes",
               "x:[2,8]", "--fold-constants", "--verify"});
}

TEST_F(Jobs, SanitizeByObservation) {
  SanitizeOptions options;
  options.files = files();
  options.observe_shapes = true;
  options.run = observed_run();
  EXPECT_EQ(sanitize(options, silent_).model.graph->outputs()[0]->shape(), (DimList{1, 4}));
  expect_same({"sanitize", "m.onnx", "--force-fallback-shape-inference"});
}

TEST_F(Jobs, Extract) {
  ExtractOptions options;
  options.files = files();
  options.inputs.emplace().set("a", {});
  options.outputs.emplace().set("b", {DataType::kFloat32, std::nullopt, {}});
  EXPECT_THAT(extract(options, silent_).undefined, testing::IsEmpty());
  expect_same({"extract", "m.onnx", "--inputs", "a:auto:auto", "--outputs", "b:float32"});
}

TEST_F(Jobs, ExtractNamesWhatNothingMakes) {
  ExtractOptions options;
  options.files.model.path = path("m.onnx");
  options.inputs.emplace();
  EXPECT_THAT(extract(options, silent_).undefined, testing::ElementsAre("x"));
  EXPECT_FALSE(std::filesystem::exists(path("api.onnx")));
}

TEST_F(Jobs, Insert) {
  InsertOptions options{.files = files(), .op = "Clip", .inputs = {"a", "", "w"}, .outputs = {"b"}};
  options.attributes = {{"i", 3}, {"f", 1.5}, {"s", "text"}, {"l", {1, 2}}};
  EXPECT_EQ(insert(options, silent_).graph->nodes().size(), 3u);
  expect_same({"insert", "m.onnx", "--op", "Clip", "--inputs", "a", "", "w", "--outputs", "b",
               "--attrs", "i=3", "f=1.5", "s=text", "l=[1,2]"});
}

TEST_F(Jobs, Prune) {
  prune({files()}, silent_);
  expect_same({"prune", "m.onnx"});
}

TEST_F(Jobs, WeightStripAndReconstruct) {
  weight_strip({files(), {"w"}}, silent_);
  folder_.write("keep.txt", "w \n");
  expect_same({"weight-strip", "m.onnx", "--exclude-list", "keep.txt"});
  std::filesystem::copy(path("api.onnx"), path("stripped.onnx"));
  weight_reconstruct({files("stripped.onnx"), 7}, silent_);
  expect_same({"weight-reconstruct", "stripped.onnx", "--seed", "7"});
}

TEST_F(Jobs, DiffAndInspections) {
  prune({files()}, silent_);
  EXPECT_TRUE(diff({path("m.onnx"), path("m.onnx")}, silent_).report.equal());
  EXPECT_FALSE(diff({path("m.onnx"), path("api.onnx")}, silent_).report.equal());
  EXPECT_THAT(inspect_sparsity({.path = path("api.onnx")}, silent_).sparse,
              testing::UnorderedElementsAre("v", "w"));
  EXPECT_EQ(inspect_model(ModelSource{.path = path("m.onnx")}, {}, silent_).graph->nodes().size(),
            4u);
}

}  // namespace
}  // namespace polygraphy::cli
