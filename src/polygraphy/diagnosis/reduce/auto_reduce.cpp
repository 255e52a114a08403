#include "polygraphy/diagnosis/reduce/auto_reduce.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/unused_functions.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/reduce/start_search.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/inner_outputs.h"
#include "polygraphy/models/loaders/mark_outputs.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

constexpr int kTriesWhenFlaky = 3;
// After so many candidates that all failed, a check may well be one that always does.
constexpr int kSuspicious = 4;

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

bool has_anything_inside(const Model& model) {
  return !model.functions.empty() || graphsurgeon::inner_graphs_first(*model.graph).size() > 1;
}

// With the nodes of functions in the place of calls, and the tensors of bodies as outputs of the
// nodes around them.
Model open_bodies(const Model& model, LoopStates states) {
  Model candidate = graphsurgeon::copy(model);
  inline_all_calls(candidate);
  graphsurgeon::remove_unused_functions(candidate);
  hand_out_inner_tensors(candidate, states);
  return candidate;
}

// Whether nodes with bodies make all of their outputs.
bool runs(const Model& model, Intermediates& intermediates) {
  std::vector<std::string> names;
  for (const auto& node : model.graph->nodes()) {
    if (node->has_subgraphs() && !node->outputs().empty())
      names.emplace_back(node->outputs()[node->outputs().size() - 1]->name());
  }
  const ArrayMap values = intermediates.values_in(model, names);
  return std::ranges::all_of(names, [&](const auto& name) { return values.contains(name); });
}

Model opened_that_runs(const Model& model, Intermediates& intermediates) {
  try {
    Model sized = graphsurgeon::copy(model);
    if (!intermediates.several_samples())
      describe_on_sample(sized.graph->inputs(), model, intermediates);
    Model assumed = open_bodies(sized, LoopStates::kAssumed);
    if (runs(assumed, intermediates)) return assumed;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {  // there is no sample
  }
  return open_bodies(model, LoopStates::kDeclared);
}

// But for those of which no type is known.
Model with_all_outputs(const Model& model, Intermediates& intermediates, Logger& log) {
  Model candidate = graphsurgeon::copy(model);
  Logger silent;
  graphsurgeon::infer_shapes(candidate, {}, silent);
  select_outputs(candidate, {.names = {"*"}}, silent);
  describe_interface(candidate, intermediates, log);
  std::erase_if(candidate.graph->mutable_outputs(), [](const graphsurgeon::TensorRef& output) {
    return output->dtype() == DataType::kUndefined && output->type_proto().empty();
  });
  return candidate;
}

// Puts the model that is searched before the keys of a search.
class KeyPrefix : public InterestingnessTest {
 public:
  KeyPrefix(InterestingnessTest& test, std::string prefix)
      : test_(test), prefix_(std::move(prefix)) {}
  bool fails(const Candidate& candidate) override {
    Candidate asked = candidate;
    asked.key = prefix_ + candidate.key;
    return test_.fails(asked);
  }

 private:
  InterestingnessTest& test_;
  std::string prefix_;
};

// Whether the check tells a model with the fault from one that does nothing. That is asked when
// check() is called, and not in the midst of a search, whose questions come in pairs for those who
// check two at a time; but before that, where all that is asked fails.
class Guard : public InterestingnessTest {
 public:
  // `model` must outlive this. `checked`: that is known already.
  Guard(InterestingnessTest& test, const Model& model, bool checked)
      : test_(test), model_(model), checked_(checked) {}

  bool fails(const Candidate& candidate) override {
    const bool fails = test_.fails(candidate);
    if (checked_ || passed_) return fails;
    passed_ = !fails;
    if (fails && ++failed_ == kSuspicious) check();
    return fails;
  }

  // Throws Error when it fails.
  void check() {
    if (std::exchange(checked_, true)) return;
    if (!test_.fails({.key = "nothing",
                      .about = "Checking an empty model",
                      .make = [this] { return model_that_does_nothing(model_); },
                      .likely = false})) {
      return;
    }
    throw Error(kCheckDecidesNothing,
                "The check fails in the same way on an empty model, so it cannot identify failing "
                "nodes; no model was written",
                "Does the check read the written file? Can it run at all?");
  }

  bool checked() const { return checked_; }

 private:
  InterestingnessTest& test_;
  const Model& model_;
  bool checked_, passed_ = false;
  int failed_ = 0;
};

class AutoReducer {
 public:
  AutoReducer(const Model& model, Intermediates& intermediates, Intermediates* ahead,
              TestManager& test, Logger& log, const std::vector<std::string>& start_at)
      : model_(model),
        start_at_(start_at),
        fingerprints_(model),
        intermediates_(intermediates),
        ahead_(ahead),
        test_(test),
        log_(log) {}

  Reduction run() {
    log_.start(kReduce, "Reducing the model to the failing nodes");
    test_.begin("_auto");
    Reduction result;
    try {
      State state;
      SearchTools tools{test_, intermediates_, log_};
      go_on(state, tools, true);
      result.bad = std::move(state.found);
      if (state.failing && !result.bad) {
        result.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
      }
    } catch (const Interrupted&) {
      result.interrupted = true;
      result.bad = test_.take_smallest();
    }
    test_.look_ahead({});
    test_.end();
    return result;
  }

 private:
  // How far the reduction has come.
  struct State {
    const Model* failing = nullptr;   // null: not even the model has been checked
    Fingerprint model;                // of that one
    std::unique_ptr<Model> found;     // that model, unless it is somebody else's
    std::vector<std::string> places;  // where to start; empty: anywhere, or that is done
    size_t turn = 0;                  // of which shrinker it is
    bool smaller = false;             // whether one has found anything in this round of turns
    bool guarded = false;             // whether a model that does nothing passes
  };

  // From there to the end; null is left where the model does not fail. `really`: or as it might go.
  void go_on(State& state, SearchTools& tools, bool really) {
    const auto shrinkers = ordered_shrinkers();
    if (!state.failing) {
      if (really) look_ahead(state);
      state.places = start_at_;
      if (learn_failure(tools)) {
        state.failing = &model_;
      } else {
        state.found = failing_inside(state, tools);
        state.failing = state.found.get();
      }
      if (!state.failing) return;
      state.model = fingerprints_.of(*state.failing);
    }
    if (!state.places.empty()) {
      if (really) look_ahead(state);
      start(state, tools);
    }
    while (true) {
      for (; state.turn < shrinkers.size(); ++state.turn) {
        const Shrinker& shrinker = *shrinkers[state.turn];
        if (really) look_ahead(state);
        Guard guard(tools.test, model_, state.guarded);
        // After the first turn at the latest.
        if (state.turn > 0) guard.check();
        tools.log.info(kReduce, std::string(shrinker.phrase));
        const std::string key = state.model.text() + " " + std::string(shrinker.name) + " ";
        KeyPrefix test(guard, key);
        ShrinkTools its_tools{{test, tools.intermediates, tools.log}, judgements_[key]};
        if (auto found = shrinker.shrink(*state.failing, its_tools)) {
          state.found = std::move(found);
          state.failing = state.found.get();
          state.model = fingerprints_.of(*state.failing);
          state.smaller = true;
        }
        state.guarded = guard.checked();
      }
      if (!state.smaller) return;
      state.turn = 0;
      state.smaller = false;
    }
  }

  // At the places, once.
  void start(State& state, SearchTools& tools) {
    const std::vector<std::string> places = std::exchange(state.places, {});
    const std::string list = py_list_repr(places);
    tools.log.info(kReduce, "Starting at " + list);
    Guard guard(tools.test, model_, state.guarded);
    const std::string key = state.model.text() + " start at " + list + " ";
    KeyPrefix test(guard, key);
    ShrinkTools its_tools{{test, tools.intermediates, tools.log}, judgements_[key]};
    if (auto found =
            start_at(model_, *state.failing, places,
                     start_at_.empty() ? StartingAt::kOutputs : StartingAt::kNodes, its_tools)) {
      state.found = std::move(found);
      state.failing = state.found.get();
      state.model = fingerprints_.of(*state.failing);
      state.smaller = true;
    } else {
      tools.log.info(kReduce, "No part of the model around " + list +
                                  " fails alone. Searching the whole model");
    }
    state.guarded = guard.checked();
  }

  // The state does not change while anything is asked.
  void look_ahead(const State& state) {
    if (!ahead_ || !test_.looks_ahead()) return;
    test_.look_ahead([this, &state](InterestingnessTest& test) {
      Logger silent;
      SearchTools tools{test, *ahead_, silent};
      State ahead{.failing = state.failing,
                  .model = state.model,
                  .found = {},
                  .places = state.places,
                  .turn = state.turn,
                  .smaller = state.smaller,
                  .guarded = state.guarded};
      go_on(ahead, tools, false);
    });
  }

  // False: the model does not fail.
  bool learn_failure(SearchTools& tools) {
    InterestingnessTest& test = tools.test;
    const auto whole = [this] { return graphsurgeon::copy(model_); };
    const bool first = test.fails(
        {.key = "model", .about = "Checking the unreduced model", .make = whole, .likely = true});
    const bool second = test.fails(
        {.key = "model again", .about = {}, .make = whole, .likely = first, .again = true});
    if (first != second) ask_again_from_now_on(tools);
    return first || second;
  }

  static void ask_again_from_now_on(SearchTools& tools) {
    tools.test.set_tries(kTriesWhenFlaky);
    tools.log.warning(kReduce,
                      "The check is not deterministic. A candidate that passes is checked up to " +
                          std::to_string(kTriesWhenFlaky) + " times.");
  }

  // What hides inside: a NaN that a Where takes away again, a difference that is rounded off. Null:
  // not even with all tensors as outputs does the model fail.
  std::unique_ptr<Model> failing_inside(State& state, SearchTools& tools) {
    std::optional<Model> opened;
    for (const bool inside : {false, true}) {
      if (inside && !has_anything_inside(model_)) break;
      const std::string key = inside ? "all inner tensors" : "all tensors";
      const auto make = [&] {
        if (!inside) return with_all_outputs(model_, tools.intermediates, tools.log);
        if (!opened) opened = opened_that_runs(model_, tools.intermediates);
        return with_all_outputs(*opened, tools.intermediates, tools.log);
      };
      const bool fails = tools.test.fails(
          {.key = key,
           .about = inside ? "Checking the model with the tensors inside If, Loop, Scan and "
                             "functions as outputs, too"
                           : "The model passes. Checking it with all its tensors as outputs",
           .make = make,
           .likely = false});
      if (!fails) continue;
      const bool fails_again = tools.test.fails(
          {.key = key + " again", .about = {}, .make = make, .likely = true, .again = true});
      if (!fails_again) ask_again_from_now_on(tools);
      const std::string output = tools.test.failing_output(key);
      if (state.places.empty() && !output.empty()) state.places = {output};
      return std::make_unique<Model>(make());
    }
    return nullptr;
  }

  const Model& model_;
  const std::vector<std::string>& start_at_;
  ModelFingerprints fingerprints_;
  Intermediates& intermediates_;
  Intermediates* ahead_;
  TestManager& test_;
  Logger& log_;
  std::map<std::string, Judgements> judgements_;  // by model and shrinker
};

}  // namespace

Reduction auto_reduce(const Model& model, Intermediates& intermediates, Intermediates* ahead,
                      TestManager& test, Logger& log, const std::vector<std::string>& start_at) {
  require_nodes(model, start_at);
  return AutoReducer(model, intermediates, ahead, test, log, start_at).run();
}

}  // namespace polygraphy
