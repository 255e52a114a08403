// Folding every model of the onnx package's test data that ONNX Runtime runs.
#include <gtest/gtest.h>

#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"
#include "test_models.h"

namespace polygraphy {
namespace {

using graphsurgeon::FoldOptions;
using graphsurgeon::FoldReport;
using graphsurgeon::Model;
using graphsurgeon::Partitioning;

class FoldedModels : public OnTestModels {
 protected:
  // As `surgeon sanitize --fold-constants --cleanup` does: passes until one changes nothing.
  static Model folded(const std::string& path, FoldOptions options) {
    static OnnxrtEvaluator evaluator(runtime());
    if (!options.evaluator) options.evaluator = &evaluator;
    Logger silent;
    Model model = graphsurgeon::load_model(path);
    graphsurgeon::toposort(model);
    for (int pass = 0; pass < 20; ++pass) {
      const FoldReport report = graphsurgeon::fold_constants(model, options, silent);
      graphsurgeon::cleanup(model);
      if (report.rewrites.empty()) return model;
    }
    ADD_FAILURE() << path << ": folding finds no end";
    return model;
  }

  static void expect_unchanged_folded(Which which, const FoldOptions& options) {
    expect_unchanged(
        which, [&](const TestModel& each) { return folded(each.path, options); },
        Exactly::kRounded);
  }
};

TEST_F(FoldedModels, ComputeTheSame) {
  expect_unchanged_folded(Which::kAll, {});
}

TEST_F(FoldedModels, WithoutALimitOfGrowth) {
  expect_unchanged_folded(Which::kGraphs, {.max_growth = std::nullopt});
}

TEST_F(FoldedModels, WithoutShapes) {
  expect_unchanged_folded(Which::kGraphs, {.fold_shapes = false, .infer_shapes = false});
}

TEST_F(FoldedModels, InParts) {
  expect_unchanged_folded(Which::kGraphs, {.partitioning = Partitioning::kBasic});
  expect_unchanged_folded(Which::kGraphs, {.partitioning = Partitioning::kRecursive});
}

TEST_F(FoldedModels, OnTheOutsideOnly) {
  expect_unchanged_folded(
      Which::kGraphs,
      {.recurse_subgraphs = false, .recurse_functions = false, .flatten_subgraphs = false});
}

// fold ∘ fold = fold, and both times the same bytes.
TEST_F(FoldedModels, AreFoldedOnceAndForAll) {
  for (const TestModel& each : models()) {
    if (!is_small_graph(each)) continue;
    Model once = folded(each.path, {});
    const std::string bytes = graphsurgeon::encode_model(once);
    OnnxrtEvaluator evaluator(runtime());
    FoldOptions options;
    options.evaluator = &evaluator;
    Logger silent;
    EXPECT_EQ(graphsurgeon::fold_constants(once, options, silent).rewrites.size(), 0u) << each.name;
    EXPECT_TRUE(graphsurgeon::encode_model(folded(each.path, {})) == bytes) << each.name;
  }
}

}  // namespace
}  // namespace polygraphy
