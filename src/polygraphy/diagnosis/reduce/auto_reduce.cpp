#include "polygraphy/diagnosis/reduce/auto_reduce.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/make.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/unused_functions.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/reduce/node_search.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/reduce/start_search.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/inner_outputs.h"
#include "polygraphy/models/candidates/model_fingerprint.h"
#include "polygraphy/models/loaders/mark_outputs.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

constexpr int kTriesWhenFlaky = 3;
// After this number of candidates that all failed, the check may fail always.
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

// Except for those of unknown type.
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

// Tests whether the check fails on an empty model, too, and so decides nothing: after the first
// turn, or earlier if all candidates have failed so far. The empty model is then checked beside the
// next candidates.
class Guard : public InterestingnessTest {
 public:
  // All arguments must outlive this.
  Guard(InterestingnessTest& test, const Model& model, Logger& log)
      : test_(test), model_(model), log_(log) {}

  // Of the check in what comes now, nothing is known: it may always fail.
  void suspect() {
    passed_ = false;
    failed_ = 0;
  }
  // Checks the empty model before any other candidate.
  void require() { is_due_ = !is_checked_; }
  // Logged after the check that is due.
  void announce(std::string text) {
    announced_.push_back(std::move(text));
    if (!is_due_) log_announced();
  }
  // Makes the check that is due. Throws Error when it fails.
  void check(const Upcoming<Candidate>& next = {}) {
    if (std::exchange(is_due_, false)) {
      is_checked_ = true;
      if (test_.fails(nothing(), next)) {
        throw Error(kCheckDecidesNothing,
                    "The check fails in the same way on an empty model, so it cannot identify "
                    "failing nodes; no model was written",
                    "Does the check read the written file? Can it run at all?");
      }
    }
    log_announced();
  }

 private:
  bool answer(const Candidate& candidate, const Upcoming<Candidate>& next) override {
    if (is_due_) {
      check(one_after_the_other(in_order<Candidate>({candidate}), next));
    }
    // The empty model must be checked sooner or later.
    const bool fails = test_.fails(
        candidate,
        is_checked_ ? next : one_after_the_other(next, in_order<Candidate>({nothing()})));
    if (is_checked_ || passed_) return fails;
    passed_ = !fails;
    if (fails && ++failed_ == kSuspicious) require();
    return fails;
  }

  Candidate nothing() const {
    return {.about = "Checking an empty model",
            .make = [this](CandidateTools&) { return model_that_does_nothing(model_); }};
  }

  void log_announced() {
    for (const std::string& text : std::exchange(announced_, {})) log_.info(kReduce, text);
  }

  InterestingnessTest& test_;
  const Model& model_;
  Logger& log_;
  bool is_checked_ = false, is_due_ = false;
  bool passed_ = false;
  int failed_ = 0;
  std::vector<std::string> announced_;
};

class AutoReducer {
 public:
  AutoReducer(const Model& model, Intermediates& intermediates, CandidateTester& test, Logger& log,
              const std::vector<std::string>& start_at)
      : model_(model),
        start_at_(start_at),
        test_(test),
        log_(log),
        guard_(test, model, log),
        fingerprints_(model),
        tools_{{intermediates, log}, guard_} {}

  Reduction run() {
    log_.start(kReduce, "Reducing the model to the failing nodes");
    test_.begin("_auto");
    Reduction result;
    try {
      search();
      result.bad = std::move(found_);
      if (failing_ && !result.bad) result.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
    } catch (const Interrupted&) {
      result.interrupted = true;
      result.bad = test_.take_smallest();
    }
    test_.end();
    return result;
  }

 private:
  void search() {
    std::vector<std::string> places = start_at_;
    if (learn_failure()) {
      failing_ = &model_;
    } else {
      found_ = failing_inside(places);
      // Engines may refuse tensors inside as outputs, or compute otherwise with them.
      if (!found_ && !places.empty()) found_ = failing_around(std::exchange(places, {}));
      failing_ = found_.get();
    }
    if (!failing_) return;
    accepted_.insert(fingerprints_.of(*failing_));
    if (!places.empty()) start(places);
    take_turns();
  }

  void take_turns() {
    const auto shrinkers = ordered_shrinkers();
    std::map<const Shrinker*, int> fruitless;  // which model each has found nothing in
    int before = 0;
    while (true) {
      for (size_t turn = 0; turn < shrinkers.size(); ++turn) {
        const Shrinker& shrinker = *shrinkers[turn];
        guard_.suspect();
        if (turn > 0) guard_.require();
        guard_.announce(std::string(shrinker.phrase));
        const auto last = fruitless.find(&shrinker);
        if (last != fruitless.end() && last->second == models_) continue;
        if (!accept(shrinker.shrink(*failing_, tools_))) fruitless[&shrinker] = models_;
      }
      guard_.check();
      if (models_ == before) return;
      before = models_;
    }
  }

  // Of a model that passes, as it is and with all tensors as outputs.
  std::unique_ptr<Model> failing_around(const std::vector<std::string>& places) {
    log_.info(kReduce, "Starting at " + py_list_repr(places));
    return start_at(model_, model_, places, StartingAt::kNodes, tools_);
  }

  // At the places, once.
  void start(const std::vector<std::string>& places) {
    const std::string list = py_list_repr(places);
    log_.info(kReduce, "Starting at " + list);
    guard_.suspect();
    if (!accept(start_at(model_, *failing_, places,
                         start_at_.empty() ? StartingAt::kOutputs : StartingAt::kNodes, tools_))) {
      log_.info(kReduce,
                "No part of the model around " + list + " fails alone. Searching the whole model");
    }
  }

  // False: nothing has been found, or a model that failed before, which is not progress.
  bool accept(std::unique_ptr<Model> found) {
    if (!found || !accepted_.insert(fingerprints_.of(*found)).second) return false;
    found_ = std::move(found);
    failing_ = found_.get();
    ++models_;
    return true;
  }

  // False: the model does not fail.
  bool learn_failure() {
    const auto whole = [this](CandidateTools&) { return graphsurgeon::copy(model_); };
    const Candidate again{.about = {}, .make = whole, .again = true};
    const auto then = [this] {
      return start_at_.empty() ? upcoming_of_fewest_nodes(model_, tools_) : Upcoming<Candidate>();
    };
    const bool first = test_.fails({.about = "Checking the unreduced model", .make = whole},
                                   one_after_the_other(in_order<Candidate>({again}), then()));
    const bool second = test_.fails(again, then());
    if (first != second) ask_again_from_now_on();
    return first || second;
  }

  void ask_again_from_now_on() {
    test_.set_tries(kTriesWhenFlaky);
    log_.warning(kReduce,
                 "The check is not deterministic. A candidate that passes is checked up to " +
                     std::to_string(kTriesWhenFlaky) + " times.");
  }

  // The model with inner tensors as outputs, for a fault that does not reach its outputs: a NaN
  // that a Where replaces, a difference that is rounded off. Null: it passes even with all tensors
  // as outputs. `places`: where to start; if empty, it becomes the output that failed.
  std::unique_ptr<Model> failing_inside(std::vector<std::string>& places) {
    std::map<const Intermediates*, Model> opened;
    const auto all_tensors = [&](CandidateTools& tools) {
      return with_all_outputs(model_, tools.intermediates, tools.log);
    };
    const auto inner_tensors = [&](CandidateTools& tools) {
      auto known = opened.find(&tools.intermediates);
      if (known == opened.end()) {
        known = opened.emplace(&tools.intermediates, opened_that_runs(model_, tools.intermediates))
                    .first;
      }
      return with_all_outputs(known->second, tools.intermediates, tools.log);
    };
    std::vector<Candidate> batch = {
        {.about = "The model passes. Checking it with all its tensors as outputs",
         .make = all_tensors}};
    if (has_anything_inside(model_)) {
      Candidate& inner = batch.emplace_back();
      inner.about =
          "Checking the model with the tensors inside If, Loop, Scan and functions as "
          "outputs, too";
      inner.make = inner_tensors;
    }
    const auto found = test_.first_failing(in_order(batch));
    if (!found) return nullptr;
    const std::string output = test_.failing_output();
    const auto make = found->candidate.make;
    if (!test_.fails({.about = {}, .make = make, .again = true})) ask_again_from_now_on();
    if (places.empty() && !output.empty()) places = {output};
    return std::make_unique<Model>(*make(tools_));
  }

  const Model& model_;
  const std::vector<std::string>& start_at_;
  CandidateTester& test_;
  Logger& log_;
  Guard guard_;
  const ModelFingerprints fingerprints_;
  std::set<Fingerprint> accepted_;  // every model that failing_ has been
  SearchTools tools_;
  const Model* failing_ = nullptr;  // null: not even the model has been checked
  std::unique_ptr<Model> found_;    // that model, unless it is the user's
  int models_ = 0;                  // that have been found
};

}  // namespace

Reduction auto_reduce(const Model& model, Intermediates& intermediates, CandidateTester& test,
                      Logger& log, const std::vector<std::string>& start_at) {
  require_nodes(model, start_at);
  return AutoReducer(model, intermediates, test, log, start_at).run();
}

}  // namespace polygraphy
