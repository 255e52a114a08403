#include "polygraphy/reduce/auto_reduce.h"

#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"
#include "polygraphy/reduce/log_modules.h"
#include "polygraphy/reduce/loop_oracle.h"
#include "polygraphy/reduce/shrinker.h"

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
      : model_(model), recordings_(recordings), loop_(loop), oracle_(loop, write, log), log_(log) {}

  Reduction run() {
    log_.start(kReduce, "Reducing the model to the nodes at fault");
    loop_.begin("_auto");
    Reduction result;
    try {
      if (learn_failure()) {
        result.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
        while (shrink(result.bad)) {
        }
      }
    } catch (const Interrupted&) {
      result.interrupted = true;
      if (auto smallest = oracle_.take_smallest()) result.bad = std::move(smallest);
    }
    loop_.finish();
    return result;
  }

 private:
  // False: the model does not fail.
  bool learn_failure() {
    log_.info(kReduce, "Checking the unreduced model");
    const bool first = oracle_.fails(model_), second = oracle_.fails(model_);
    if (!first && !second) return false;
    if (first != second) {
      oracle_.set_tries(kTriesWhenFlaky);
      log_.warning(kReduce,
                   "The check does not always say the same of one model. A candidate that passes "
                   "is checked up to " +
                       std::to_string(kTriesWhenFlaky) + " times.");
    }
    log_.info(kReduce, "Checking a model that does nothing");
    if (oracle_.fails(model_that_does_nothing(model_))) {
      throw Error(
          "The check fails in the same way on a model that does nothing, so it cannot tell "
          "which nodes are at fault; nothing was written",
          "Does the check read the file that is written for it (--iter-artifact)? Can it "
          "run at all?");
    }
    return true;
  }

  // Every shrinker in its turn. False: none of them found anything.
  bool shrink(std::unique_ptr<Model>& failing) {
    bool smaller = false;
    for (const Shrinker* shrinker : ordered_shrinkers()) {
      log_.info(kReduce, std::string(shrinker->phrase));
      oracle_.begin_search();
      ShrinkTools tools{oracle_, recordings_, log_};
      if (auto found = shrinker->shrink(*failing, tools)) {
        failing = std::move(found);
        smaller = true;
      }
    }
    return smaller;
  }

  const Model& model_;
  Recordings& recordings_;
  DebugLoop& loop_;
  LoopOracle oracle_;
  Logger& log_;
};

}  // namespace

Reduction auto_reduce(const Model& model, Recordings& recordings, DebugLoop& loop,
                      const WriteModel& write, Logger& log) {
  return AutoReducer(model, recordings, loop, write, log).run();
}

}  // namespace polygraphy
