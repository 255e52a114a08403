#include "polygraphy/reduce/auto_reduce.h"

#include <functional>
#include <string>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"
#include "polygraphy/reduce/cut.h"
#include "polygraphy/reduce/delta_debugging.h"
#include "polygraphy/reduce/describe.h"
#include "polygraphy/reduce/keep.h"
#include "polygraphy/reduce/log_modules.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

constexpr int kTriesWhenFlaky = 3;

// Hands its input on.
Model model_that_does_nothing(const Model& like) {
  Model model;
  model.ir_version = like.ir_version;
  model.opset_imports = like.opset_imports;
  model.graph = graphsurgeon::Graph::create(*graphsurgeon::Store::create(), "nothing");
  graphsurgeon::Graph& graph = *model.graph;
  const auto input = graph.variable("x", DataType::kFloat32, {Dim(1)});
  graph.mutable_inputs().push_back(input);
  auto& outputs = graph.layer({.op = "Identity", .inputs = {input}, .outputs = {"y"}});
  outputs[0]->set_dtype(DataType::kFloat32);
  outputs[0]->set_shape(DimList{Dim(1)});
  graph.mutable_outputs().emplace_back(outputs[0]);
  return model;
}

class AutoReducer {
 public:
  AutoReducer(const Model& model, Recordings& recordings, DebugLoop& loop, const WriteModel& write,
              Logger& log)
      : model_(model), recordings_(recordings), loop_(loop), write_(write), log_(log) {}

  Reduction run() {
    log_.start(kReduce, "Reducing the model to the nodes at fault");
    loop_.begin("_auto");
    try {
      if (learn_failure()) search();
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    loop_.finish();
    return std::move(result_);
  }

 private:
  bool fails(const Model& model) {
    OneModel subject(model, write_);
    return !loop_.round(subject).verdict.passed;
  }

  // False: the model does not fail.
  bool learn_failure() {
    log_.info(kReduce, "Checking the unreduced model");
    const bool first = fails(model_), second = fails(model_);
    if (!first && !second) return false;
    result_.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
    if (first != second) {
      tries_ = kTriesWhenFlaky;
      log_.warning(kReduce,
                   "The check does not always say the same of one model. A candidate that passes "
                   "is checked up to " +
                       std::to_string(kTriesWhenFlaky) + " times.");
    }
    log_.info(kReduce, "Checking a model that does nothing");
    if (fails(model_that_does_nothing(model_))) {
      throw Error(
          "The check fails in the same way on a model that does nothing, so it cannot tell "
          "which nodes are at fault; nothing was written",
          "Does the check read the file that is written for it (--iter-artifact)? Can it "
          "run at all?");
    }
    return true;
  }

  bool part_fails(const std::vector<size_t>& steps, const Part& part) {
    std::vector<size_t> positions;
    for (const size_t index : part) positions.push_back(steps[index]);
    Model candidate = keep_nodes(model_, positions);
    describe_interface(candidate, recordings_, log_);
    log_.info(kReduce, "Keeping " + std::to_string(part.size()) + " of " +
                           std::to_string(steps.size()) + " nodes that depend on inputs");
    for (int i = 0; i < tries_; ++i) {
      if (!fails(candidate)) continue;
      if (!result_.bad || candidate.graph->nodes().size() <= result_.bad->graph->nodes().size()) {
        result_.bad = std::make_unique<Model>(std::move(candidate));
      }
      return true;
    }
    return false;
  }

  void search() {
    const std::vector<size_t> steps = reduction_steps(model_);
    Part whole(steps.size());
    for (size_t i = 0; i < whole.size(); ++i) whole[i] = i;
    smallest_failing_part(whole, [&](const Part& part) { return part_fails(steps, part); });
  }

  const Model& model_;
  Recordings& recordings_;
  DebugLoop& loop_;
  const WriteModel& write_;
  Logger& log_;
  int tries_ = 1;
  Reduction result_;
};

}  // namespace

Reduction auto_reduce(const Model& model, Recordings& recordings, DebugLoop& loop,
                      const WriteModel& write, Logger& log) {
  return AutoReducer(model, recordings, loop, write, log).run();
}

}  // namespace polygraphy
