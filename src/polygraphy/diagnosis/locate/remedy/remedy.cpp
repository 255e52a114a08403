#include "polygraphy/diagnosis/locate/remedy/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/remedy/mixed_precision_trials.h"
#include "polygraphy/diagnosis/search/fewest_kept.h"

namespace polygraphy {
namespace {

// The limit of a search; the answer is then the best so far.
constexpr int64_t kEvaluations = 150;
// Between seeds of roundings that have nothing in common.
constexpr int64_t kSeedStep = 7919;

class Search {
 public:
  Search(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
         const std::vector<size_t>& kept, Logger& log)
      : run_(run),
        model_(model),
        kept_(kept.begin(), kept.end()),
        log_(log),
        trials_(run, model, feeds, kept_, log) {}

  LocateRemedy run(const std::vector<size_t>& ranked) {
    LocateRemedy remedy{.format = run_.target_format, .measure = trials_.measure()};
    if (run_.target_format == NumberFormat::kFloat32) {
      remedy.note = "the target already computes in float32";
      return remedy;
    }
    if (!run_.reference) {
      remedy.note = "no runner to evaluate the model with";
      return remedy;
    }
    trials_.keep_reference();
    const std::unordered_set<std::string> outputs(model_.outputs().begin(), model_.outputs().end());
    for (const size_t position : ranked) {
      const graphsurgeon::Node& node = *model_.model().graph->nodes()[position];
      // One that moves numbers to an output rounds them if it is in the format.
      const bool makes_output =
          std::ranges::any_of(model_.nodes()[position].makes,
                              [&](const std::string& name) { return outputs.contains(name); });
      if (!kept_.contains(position) &&
          (node.has_subgraphs() || !moves_numbers(node) || makes_output))
        order_.push_back(position);
    }
    if (!passes_first(order_.size())) {
      remedy.note = trials_.reason_in_float32();
      return remedy;
    }
    std::vector<size_t> found =
        passes_first(0) ? std::vector<size_t>() : fewest(shortest_beginning());
    bool grown = false, held = holds(found);
    while (!held && grow(found)) {
      grown = true;
      held = holds(found);
    }
    if (!held) {
      remedy.note = fmt::format(
          "the outputs agree {} in only some evaluations, regardless of the nodes in float32",
          by_measure(trials_.measure(), true));
      remedy.evaluations = trials_.count();
      return remedy;
    }
    std::unordered_set<size_t> needed = kept_;
    needed.insert(found.begin(), found.end());
    remedy.agrees = true;
    remedy.fewest = !grown && trials_.count() < kEvaluations;
    remedy.evaluations = trials_.count();
    for (size_t i = 0; i < model_.nodes().size(); ++i) {
      if (needed.contains(i)) remedy.nodes.push_back(model_.nodes()[i].name);
    }
    write(needed, remedy);
    return remedy;
  }

 private:
  // The fewest of the order's first that pass, where more do when fewer do.
  size_t shortest_beginning() {
    size_t fails = 0, passes = order_.size();
    while (passes - fails > 1) {
      const size_t middle = fails + (passes - fails) / 2;
      (passes_first(middle) ? passes : fails) = middle;
    }
    return passes;
  }

  std::vector<size_t> first(size_t count) const {
    return {order_.begin(), order_.begin() + static_cast<ptrdiff_t>(count)};
  }

  // Of the order's first.
  std::vector<size_t> fewest(size_t count) {
    const auto positions = [this](const Part& part) {
      std::vector<size_t> chosen;
      for (const size_t place : part) chosen.push_back(order_[place]);
      return chosen;
    };
    std::vector<std::string> kinds;
    for (const size_t position : first(count)) kinds.push_back(model_.nodes()[position].op);
    return positions(fewest_kept(kinds, [&](const Part& part, const auto&) {
      return trials_.count() < kEvaluations && trials_.pass(positions(part), run_.job.seed);
    }));
  }

  // Rejects an answer that holds only for the roundings of the search.
  bool holds(const std::vector<size_t>& positions) {
    if (!trials_.pass(positions, run_.job.seed + kSeedStep)) return false;
    return run_.target_format != NumberFormat::kFloat16 || trials_.pass_in_float16(positions);
  }

  // Adds the next of the order; false: the order is exhausted.
  bool grow(std::vector<size_t>& positions) const {
    size_t more = std::max<size_t>(1, positions.size() / 4);
    const size_t before = positions.size();
    for (const size_t position : order_) {
      if (more == 0) break;
      if (std::find(positions.begin(), positions.end(), position) != positions.end()) continue;
      positions.push_back(position);
      --more;
    }
    return positions.size() > before;
  }

  bool passes_first(size_t count) { return trials_.pass(first(count), run_.job.seed); }

  void write(const std::unordered_set<size_t>& needed, LocateRemedy& remedy) {
    const OnnxSaving& saving = run_.job.remedy->output;
    if (saving.path.empty()) return;
    save_onnx(trials_.mixed_model({needed.begin(), needed.end()}), saving, log_);
    remedy.written = saving.path;
    remedy.written_agrees = trials_.written_passes(saving.path);
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::unordered_set<size_t> kept_;
  Logger& log_;
  MixedPrecisionTrials trials_;
  std::vector<size_t> order_;  // nodes that round, those to be tried first before others
};

}  // namespace

LocateRemedy find_remedy(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& feeds, const std::vector<size_t>& ranked,
                         const std::vector<size_t>& kept, Logger& log) {
  return Search(run, model, feeds, kept, log).run(ranked);
}

}  // namespace polygraphy
