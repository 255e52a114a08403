#include "polygraphy/reduce/auto_reduce.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"
#include "polygraphy/reduce/oracle/loop_oracle.h"
#include "polygraphy/reduce/shrinker.h"

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

// Puts the model that is searched before the keys of a search.
class KeysOfModel : public Oracle {
 public:
  KeysOfModel(Oracle& oracle, std::string prefix) : oracle_(oracle), prefix_(std::move(prefix)) {}
  bool fails(const Question& question) override {
    Question asked = question;
    asked.key = prefix_ + question.key;
    return oracle_.fails(asked);
  }

 private:
  Oracle& oracle_;
  std::string prefix_;
};

// Whether the check tells a model with the fault from one that does nothing. That is asked when
// check() is called, and not in the midst of a search, whose questions come in pairs for those who
// check two at a time; but before that, where all that is asked fails.
class Guard : public Oracle {
 public:
  // `model` must outlive this. `checked`: that is known already.
  Guard(Oracle& oracle, const Model& model, bool checked)
      : oracle_(oracle), model_(model), checked_(checked) {}

  bool fails(const Question& question) override {
    const bool fails = oracle_.fails(question);
    if (checked_ || passed_) return fails;
    passed_ = !fails;
    if (fails && ++failed_ == kSuspicious) check();
    return fails;
  }

  // Throws Error when it fails.
  void check() {
    if (std::exchange(checked_, true)) return;
    if (!oracle_.fails({.key = "nothing",
                        .about = "Checking a model that does nothing",
                        .candidate = [this] { return model_that_does_nothing(model_); },
                        .likely = false})) {
      return;
    }
    throw Error(
        "The check fails in the same way on a model that does nothing, so it cannot tell "
        "which nodes are at fault; nothing was written",
        "Does the check read the file that is written for it (--iter-artifact)? Can it "
        "run at all?");
  }

  bool checked() const { return checked_; }

 private:
  Oracle& oracle_;
  const Model& model_;
  bool checked_, passed_ = false;
  int failed_ = 0;
};

class AutoReducer {
 public:
  AutoReducer(const Model& model, Recordings& recordings, Recordings* ahead, LoopOracle& oracle,
              Logger& log)
      : model_(model),
        fingerprints_(model),
        recordings_(recordings),
        ahead_(ahead),
        oracle_(oracle),
        log_(log) {}

  Reduction run() {
    log_.start(kReduce, "Reducing the model to the nodes at fault");
    oracle_.begin("_auto");
    Reduction result;
    try {
      State state;
      SearchTools tools{oracle_, recordings_, log_};
      go_on(state, tools, true);
      result.bad = std::move(state.found);
      if (state.failing && !result.bad) {
        result.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
      }
    } catch (const Interrupted&) {
      result.interrupted = true;
      result.bad = oracle_.take_smallest();
    }
    oracle_.look_ahead({});
    oracle_.end();
    return result;
  }

 private:
  // How far the reduction has come.
  struct State {
    const Model* failing = nullptr;  // null: not even the model has been checked
    Fingerprint model;               // of that one
    std::unique_ptr<Model> found;    // that model, unless it is somebody else's
    size_t turn = 0;                 // of which shrinker it is
    bool smaller = false;            // whether one has found anything in this round of turns
    bool guarded = false;            // whether a model that does nothing passes
  };

  // From there to the end; null is left where the model does not fail. `really`: or as it might go.
  void go_on(State& state, SearchTools& tools, bool really) {
    const auto shrinkers = ordered_shrinkers();
    if (!state.failing) {
      if (really) look_ahead(state);
      if (!learn_failure(tools)) return;
      state.failing = &model_;
      state.model = fingerprints_.of(model_);
    }
    while (true) {
      for (; state.turn < shrinkers.size(); ++state.turn) {
        const Shrinker& shrinker = *shrinkers[state.turn];
        if (really) look_ahead(state);
        Guard guard(tools.oracle, model_, state.guarded);
        // After the first turn at the latest.
        if (state.turn > 0) guard.check();
        tools.log.info(kReduce, std::string(shrinker.phrase));
        const std::string key = state.model.text() + " " + std::string(shrinker.name) + " ";
        KeysOfModel oracle(guard, key);
        ShrinkTools its_tools{{oracle, tools.recordings, tools.log}, judgements_[key]};
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

  // The state does not change while anything is asked.
  void look_ahead(const State& state) {
    if (!ahead_ || !oracle_.looks_ahead()) return;
    oracle_.look_ahead([this, &state](Oracle& oracle) {
      Logger silent;
      SearchTools tools{oracle, *ahead_, silent};
      State ahead{.failing = state.failing,
                  .model = state.model,
                  .found = {},
                  .turn = state.turn,
                  .smaller = state.smaller,
                  .guarded = state.guarded};
      go_on(ahead, tools, false);
    });
  }

  // False: the model does not fail.
  bool learn_failure(SearchTools& tools) {
    Oracle& oracle = tools.oracle;
    const auto whole = [this] { return graphsurgeon::copy(model_); };
    const bool first = oracle.fails({.key = "model",
                                     .about = "Checking the unreduced model",
                                     .candidate = whole,
                                     .likely = true});
    const bool second = oracle.fails(
        {.key = "model again", .about = {}, .candidate = whole, .likely = first, .again = true});
    if (!first && !second) return false;
    if (first != second) {
      oracle.set_tries(kTriesWhenFlaky);
      tools.log.warning(kReduce,
                        "The check does not always say the same of one model. A candidate that "
                        "passes is checked up to " +
                            std::to_string(kTriesWhenFlaky) + " times.");
    }
    return true;
  }

  const Model& model_;
  ModelFingerprints fingerprints_;
  Recordings& recordings_;
  Recordings* ahead_;
  LoopOracle& oracle_;
  Logger& log_;
  std::map<std::string, Judgements> judgements_;  // by model and shrinker
};

}  // namespace

Reduction auto_reduce(const Model& model, Recordings& recordings, Recordings* ahead,
                      LoopOracle& oracle, Logger& log) {
  return AutoReducer(model, recordings, ahead, oracle, log).run();
}

}  // namespace polygraphy
