#include "polygraphy/diagnosis/locate/measuring/noise_of_levels.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"

namespace polygraphy {
namespace {

bool quantizes(const NodeFacts& node) {
  return node.op == "QuantizeLinear" || node.op == "DynamicQuantizeLinear";
}

bool same_type(const Array& a, const Array& b) {
  return a.shape() == b.shape() && a.dtype() == b.dtype();
}

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

std::string input_instead_of(const std::string& tensor) {
  return "instead of\x1f" + tensor;
}

// A copy in which nodes that read one of these tensors read an input instead, input_instead_of()
// the tensor, of the type of its value. The tensors are computed all the same. O(model).
Model reading_instead(Model model, const ArrayMap& values) {
  const auto by_name = model.graph->tensor_map();
  for (const auto& [name, value] : values) {
    const TensorRef computed(by_name.at(name));
    const TensorRef input = model.graph->variable(input_instead_of(name), value.dtype());
    model.graph->mutable_inputs().push_back(input);
    for (const NodeRef& consumer : computed->consumers().snapshot()) {
      for (size_t i = 0; i < consumer->inputs().size(); ++i) {
        if (consumer->inputs()[i] == computed.get()) consumer->inputs().set(i, input);
      }
    }
  }
  return model;
}

class BehindLevels {
 public:
  BehindLevels(const LocateRun& run, const WholeModel& model, const GroupResults& group,
               Measurements& measurements)
      : run_(run),
        model_(model),
        group_(group),
        measurements_(measurements),
        judge_(
            model, run.job.format, run.job.threshold,
            [this](int64_t sample, const std::string& name, JudgedInputs) -> const Array* {
              const auto at = static_cast<size_t>(sample);
              if (const Array* made = results_[at].find(name)) return made;
              const Value* fed = group_.feeds[at].find(name);
              return fed ? fed->as_tensor() : nullptr;
            },
            [this](int64_t sample, const std::string& name) -> const Noise* {
              const auto found = measurements_.find(name);
              return found == measurements_.end() || found->second.accumulated_noise.empty()
                         ? nullptr
                         : &found->second.accumulated_noise[static_cast<size_t>(sample)];
            }) {}

  std::vector<ArrayMap> run() {
    for (const size_t position : group_.positions) keep_levels(position);
    std::ranges::copy_if(model_.made(), std::back_inserter(given_),
                         [this](const std::string& name) { return has_others(name); });
    std::vector<ArrayMap> behind(group_.feeds.size());
    if (given_.empty()) return behind;
    evaluate();
    for (size_t sample = 0; sample < behind.size(); ++sample) {
      for (const size_t position : group_.positions) add(position, sample, behind[sample]);
    }
    return behind;
  }

 private:
  bool has_others(const std::string& name) const {
    const auto found = measurements_.find(name);
    return found != measurements_.end() && !found->second.levels.empty();
  }

  // Of all samples, if they differ in one.
  void keep_levels(size_t position) {
    if (!quantizes(model_.nodes()[position])) return;
    for (const std::string& name : model_.nodes()[position].makes) {
      std::vector<Array> levels;
      bool differ = false;
      for (size_t sample = 0; sample < group_.feeds.size(); ++sample) {
        const Array *seen = group_.target[sample].find(name),
                    *exact = group_.exact[sample].find(name);
        if (!seen || !exact || !same_type(*seen, *exact)) break;
        differ |= !bitwise_equal(*seen, *exact);
        levels.push_back(*seen);
      }
      if (differ && levels.size() == group_.feeds.size())
        measurements_[name].levels = std::move(levels);
    }
  }

  void evaluate() {
    std::vector<std::string> wanted;
    std::unordered_set<std::string> seen(model_.inputs().begin(), model_.inputs().end());
    for (const size_t position : group_.positions) {
      const NodeFacts& node = model_.nodes()[position];
      for (const auto* names : {&node.reads, &node.makes}) {
        for (const std::string& name : *names) {
          if (seen.insert(name).second) wanted.push_back(name);
        }
      }
    }
    ArrayMap levels;
    for (const std::string& name : given_) levels.set(name, measurements_[name].levels.front());
    const graphsurgeon::Model model = reading_instead(model_.marked(wanted), levels);
    results_ = outputs_of(
        run_.noise, {.path = "levels of the target", .model = &model}, std::ssize(group_.feeds),
        [&](int64_t sample) {
          ValueMap feed = group_.feeds[static_cast<size_t>(sample)];
          for (const std::string& name : given_)
            feed.set(input_instead_of(name),
                     measurements_[name].levels[static_cast<size_t>(sample)]);
          return feed;
        },
        run_.job.cancel);
  }

  // Whether the target's levels are those of the inputs that it computed, or ties.
  bool are_right(size_t position, size_t sample) const {
    return std::ranges::all_of(model_.nodes()[position].makes, [&](const std::string& name) {
      const Array *right = results_[sample].find(name), *seen = group_.target[sample].find(name);
      if (!right || !seen || !same_type(*right, *seen)) return false;
      const TensorMeasurement& measured = measurements_[name];
      const auto at = static_cast<int64_t>(sample);
      return judge_
                 .judge(name, *right, *seen,
                        {at, noise_at_sample(measured.accumulated_noise, at), measured.in_place(),
                         JudgedInputs::kOfTarget})
                 .ratio <= run_.job.threshold;
    });
  }

  void add(size_t position, size_t sample, ArrayMap& behind) {
    const NodeFacts& node = model_.nodes()[position];
    bool wrong = false;
    for (const std::string& name : node.reads) {
      const auto found = measurements_.find(name);
      if (found == measurements_.end()) continue;
      const std::vector<bool>& before = found->second.behind_wrong_levels;
      wrong |= sample < before.size() && before[sample];
    }
    wrong |= quantizes(node) && !wrong && !are_right(position, sample);
    for (const std::string& name : node.makes) {
      std::vector<bool>& own = measurements_[name].behind_wrong_levels;
      own.resize(group_.feeds.size());
      own[sample] = wrong;
      const Array* result = results_[sample].find(name);
      if (!wrong && result) behind.set(name, *result);
    }
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const GroupResults& group_;
  Measurements& measurements_;
  std::vector<std::string> given_;  // tensors whose levels on the target are others
  std::vector<ArrayMap> results_;   // with these, by sample
  const TensorJudge judge_;         // of levels, by their inputs in these results
};

}  // namespace

bool has_levels(const WholeModel& model) {
  return std::ranges::any_of(model.nodes(), quantizes);
}

std::vector<ArrayMap> behind_levels(const LocateRun& run, const WholeModel& model,
                                    const GroupResults& group, Measurements& measurements) {
  return BehindLevels(run, model, group, measurements).run();
}

}  // namespace polygraphy
