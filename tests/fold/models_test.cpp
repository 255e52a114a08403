// Folding on every model of the onnx package's test data that ONNX Runtime runs: with inputs made
// constants, all of them or some, the folded model computes the same as the original.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "built_runtime.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/cleanup.h"
#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"
#include "test_models.h"

namespace polygraphy {
namespace {

using graphsurgeon::FoldOptions;
using graphsurgeon::FoldReport;
using graphsurgeon::load_model;
using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// The inputs that become constants, by position.
using Chosen = std::function<bool(size_t)>;

class FoldModels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    runtime_ = new BundledRuntime(built_paths(), log_);
    models_ = new std::vector<TestModel>(runnable_models(*runtime_));
    evaluator_ = new OnnxrtEvaluator(built_paths(), log_);
  }
  static void TearDownTestSuite() {
    delete evaluator_;
    delete models_;
    delete runtime_;
  }

  static Model with_constants(const TestModel& from, const Chosen& chosen) {
    Model model = load_model(from.path);
    auto& graph = *model.graph;
    std::vector<TensorRef> inputs;
    for (size_t i = 0; i < graph.inputs().size(); ++i) {
      const TensorRef input = graph.inputs()[i];
      const Value* value = from.feed.find(input->name());
      const Array* values = value ? value->as_tensor() : nullptr;
      if (values == nullptr || input->is_constant() || !chosen(i)) {
        inputs.push_back(input);
        continue;
      }
      input->to_constant(graphsurgeon::owned_payload(*values));
      graph.mutable_initializers().push_back(input);
      if (model.ir_version < 4) inputs.push_back(input);
    }
    graph.mutable_inputs() = std::move(inputs);
    return model;
  }

  // The runtime computes in float32 what it has no float16 kernels for, and rounds in other places
  // when nodes go.
  static bool is_rounded_alike(const TestModel& each) {
    return each.name.find("fp16") == std::string::npos;
  }

  static size_t nodes_in(const Model& model) {
    size_t count = 0;
    for (const auto* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
      count += graph->nodes().size();
    }
    return count;
  }

  // Folds and cleans up; folding again changes nothing.
  static FoldReport fold(Model& model, FoldOptions options) {
    FoldReport first = fold_constants(model, options, log_);
    FoldReport last = first;
    cleanup(model);
    // Results of the evaluator may determine more shapes, so fold repeatedly.
    for (int pass = 0; pass < 5 && !last.rewrites.empty(); ++pass) {
      if (options.max_growth) *options.max_growth -= last.growth;
      last = fold_constants(model, options, log_);
      cleanup(model);
    }
    EXPECT_TRUE(last.rewrites.empty()) << model.path << ": folding does not come to an end";
    return first;
  }

  static FoldOptions with_runtime() {
    FoldOptions options;
    options.evaluator = evaluator_;
    return options;
  }

  static inline Logger log_;
  static inline BundledRuntime* runtime_ = nullptr;
  static inline OnnxrtEvaluator* evaluator_ = nullptr;
  static inline std::vector<TestModel>* models_ = nullptr;
};

// The rules alone compute the runtime's results, bit by bit.
TEST_F(FoldModels, RulesComputeWhatTheRuntimeDoes) {
  size_t compared = 0;
  for (const TestModel& each : *models_) {
    Model model = with_constants(each, [](size_t) { return true; });
    fold(model, {});
    ArrayMap reference;
    ArrayMap results;
    for (const TensorRef& output : model.graph->outputs()) {
      const std::string name(output->name());
      if (!output->is_constant() || each.outputs.find(name) == nullptr) continue;
      results.set(name, output->payload()->load(name).contiguous_aligned());
      reference.set(name, *each.outputs.find(name));
      ++compared;
    }
    const OutputAgreement found = agreement(reference, results);
    EXPECT_TRUE(found.bit_equal) << each.name << ": " << found.output << " " << found.difference;
  }
  EXPECT_GT(compared, 250u);
}

TEST_F(FoldModels, EverythingConstant) {
  size_t without_nodes = 0;
  for (const TestModel& each : *models_) {
    Model model = with_constants(each, [](size_t) { return true; });
    fold(model, with_runtime());
    without_nodes += nodes_in(model) == 0 ? 1 : 0;
    EXPECT_EQ(worse_than_before(*runtime_, each, model, is_rounded_alike(each)), "") << each.name;
  }
  // The others: quantization, random numbers, results that are sequences.
  EXPECT_GT(without_nodes, models_->size() * 95 / 100);
}

TEST_F(FoldModels, AllButTheFirstInputConstant) {
  for (const TestModel& each : *models_) {
    Model model = with_constants(each, [](size_t i) { return i > 0; });
    fold(model, with_runtime());
    EXPECT_EQ(worse_than_before(*runtime_, each, model, is_rounded_alike(each)), "") << each.name;
  }
}

TEST_F(FoldModels, AsTheyAre) {
  for (const TestModel& each : *models_) {
    if (each.nodes < 2) continue;
    Model model = load_model(each.path);
    FoldOptions options = with_runtime();
    options.max_growth.reset();
    fold(model, options);
    EXPECT_EQ(worse_than_before(*runtime_, each, model, is_rounded_alike(each)), "") << each.name;
  }
}

// Inputs with symbolic dimensions: arithmetic on partly known shapes.
TEST_F(FoldModels, WithOpenDimensions) {
  const std::function<bool(size_t, size_t)> opens[] = {
      [](size_t i, size_t) { return i == 0; },
      [](size_t i, size_t rank) { return i + 1 == rank; },
      [](size_t, size_t) { return true; },
  };
  for (const TestModel& each : *models_) {
    if (each.nodes < 3) continue;
    for (const auto& is_open : opens) {
      Model model = load_model(each.path);
      for (const TensorRef& input : model.graph->inputs()) {
        auto shape = input->shape();
        if (!shape || input->is_constant()) continue;
        for (size_t i = 0; i < shape->size(); ++i) {
          if (!is_open(i, shape->size())) continue;
          const std::string name = std::string(input->name()) + "_" + std::to_string(i);
          (*shape)[i] = graphsurgeon::Dim(std::string_view(name));
        }
        input->set_shape(shape);
      }
      fold(model, with_runtime());
      EXPECT_EQ(worse_than_before(*runtime_, each, model, is_rounded_alike(each)), "") << each.name;
    }
  }
}

}  // namespace
}  // namespace polygraphy
