#include "polygraphy/diagnosis/locate/remedy/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/passes/float16.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/search/fewest_kept.h"
#include "polygraphy/models/noise/noisy_model.h"
#include "polygraphy/models/noise/result_formats.h"
#include "polygraphy/models/noise/rounding.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kLocate;

using NodeSet = std::unordered_set<size_t>;  // positions

// Of these samples.
OutputCheck check_of(const LocateJob& job, size_t samples) {
  OutputCheck check = job.remedy->check;
  if (check.task_metric) check.task_metric->iterations = static_cast<int64_t>(samples);
  return check;
}

NodeSet all_nodes(const WholeModel& model) {
  NodeSet all;
  for (size_t i = 0; i < model.nodes().size(); ++i) all.insert(i);
  return all;
}

// Evaluations of a model in which some nodes compute in float32, and the others in the target's
// format, judged by the check of the job's remedy. A runner that fails is a model that does not
// pass.
class MixedPrecisionTrials {
 public:
  // `kept`: nodes that are in float32 in any case. The arguments outlive it.
  MixedPrecisionTrials(const LocateRun& run, const WholeModel& model,
                       const std::vector<ValueMap>& feeds, const NodeSet& kept, Logger& log);

  const std::string& measure() const { return measure_; }  // Verdict::measure of the check
  int64_t count() const { return count_; }                 // calls of pass()

  // Runs the reference, once, before all others.
  void keep_reference();
  // Whether the outputs agree in each of the stochastic evaluations of a model that rounds all
  // nodes but these.
  bool pass(const std::vector<size_t>& positions, int64_t seed);
  // The same of the model with Casts.
  bool pass_in_float16(const std::vector<size_t>& positions);
  bool written_passes(const std::string& path);
  // Why they differ with every node in float32: after pass().
  std::string reason_in_float32() const;
  // In float16, with Casts. Shares the weights, which are converted when they are read.
  graphsurgeon::Model mixed_model(const std::vector<size_t>& positions) const;

 private:
  void add_movers(NodeSet& exact) const;
  ValueMap feed(size_t sample, const NodeSet& exact) const;
  bool agree(const ModelSource& source, const NodeSet& exact, int64_t times);

  const LocateJob& job_;
  const OutputCheck check_;
  const std::string measure_;
  const NumberFormat format_;
  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const NodeSet& kept_;
  Logger& log_;
  const graphsurgeon::Model marked_;
  std::vector<ArrayMap> reference_;  // outputs, by sample
  int64_t count_ = 0;
  Verdict verdict_;  // the last one
};

MixedPrecisionTrials::MixedPrecisionTrials(const LocateRun& run, const WholeModel& model,
                                           const std::vector<ValueMap>& feeds, const NodeSet& kept,
                                           Logger& log)
    : job_(run.job),
      check_(check_of(run.job, feeds.size())),
      measure_(OutputJudge(check_, {}, {}).measure()),
      format_(run.target_format),
      run_(run),
      model_(model),
      feeds_(feeds),
      kept_(kept),
      log_(log),
      marked_(model.marked(model.outputs())) {}

void MixedPrecisionTrials::keep_reference() {
  reference_ = outputs_of(
      *run_.reference, model_.with_outputs(model_.outputs()), static_cast<int64_t>(feeds_.size()),
      [&](int64_t sample) { return feeds_[static_cast<size_t>(sample)]; }, job_.cancel);
}

bool MixedPrecisionTrials::pass(const std::vector<size_t>& positions, int64_t seed) {
  ++count_;
  NodeSet exact = kept_;
  exact.insert(positions.begin(), positions.end());
  const size_t count = exact.size();
  add_movers(exact);
  const Model noisy = noisy_model(marked_, {.format = format_, .seed = seed, .exact_nodes = exact});
  const bool passed = agree({.path = "model in parts", .model = &noisy}, exact, job_.noise_runs);
  log_.verbose(kLocate, fmt::format("{} nodes in float32: the outputs {} by {}", count,
                                    passed ? "agree" : "differ", measure_));
  return passed;
}

bool MixedPrecisionTrials::pass_in_float16(const std::vector<size_t>& positions) {
  const Model mixed = mixed_model(positions);
  return agree({.path = "model in float16", .model = &mixed}, all_nodes(model_), 1);
}

bool MixedPrecisionTrials::written_passes(const std::string& path) {
  return agree({.path = path}, all_nodes(model_), 1);
}

std::string MixedPrecisionTrials::reason_in_float32() const {
  if (check_.task_metric || verdict_.agreement == Agreement::kNotCompared)
    return "with every node in float32, " + headline(verdict_);
  // More than correct engines differ in float32, unless the model amplifies errors.
  constexpr double kOrdinary = 1e-4;
  double worst = 0;
  const std::vector<ArrayMap> exact =
      outputs_of(run_.noise, model_.with_outputs(model_.outputs()), feeds_, job_.cancel);
  for (size_t sample = 0; sample < exact.size(); ++sample) {
    for (const auto& [name, array] : exact[sample]) {
      const Array* reference = reference_[sample].find(name);
      if (reference) worst = std::max(worst, measure_error(*reference, array).relative());
    }
  }
  if (worst <= kOrdinary) {
    return fmt::format(
        "the check is too tight: with every node in float32 the outputs differ {}, at a "
        "relative error of {:.2g}",
        by_measure(measure_, false), worst);
  }
  return fmt::format(
      "with every node in float32 the outputs differ {}, at a relative error of {:.2g}: "
      "precision is not the cause",
      by_measure(measure_, false), worst);
}

Model MixedPrecisionTrials::mixed_model(const std::vector<size_t>& positions) const {
  NodeSet exact = kept_;
  exact.insert(positions.begin(), positions.end());
  add_movers(exact);
  Model mixed = graphsurgeon::copy(model_.model());
  graphsurgeon::Float16Options options{.op_block_list = {}};
  for (const size_t position : exact)
    options.kept_nodes.insert(mixed.graph->nodes()[position].get());
  Logger silent;
  graphsurgeon::convert_to_float16(mixed, options, silent);
  return mixed;
}

// Nodes that only move numbers to nodes in float32 leave them as they are.
void MixedPrecisionTrials::add_movers(NodeSet& exact) const {
  const auto& nodes = model_.nodes();
  std::vector<bool> read_otherwise(nodes.size(), false), read(nodes.size(), false);
  std::unordered_set<std::string> outputs(model_.outputs().begin(), model_.outputs().end());
  for (size_t i = nodes.size(); i-- > 0;) {
    const auto is_output = [&](const std::string& name) { return outputs.contains(name); };
    if (read[i] && !read_otherwise[i] && moves_numbers(*model_.model().graph->nodes()[i]) &&
        std::none_of(nodes[i].makes.begin(), nodes[i].makes.end(), is_output))
      exact.insert(i);
    for (const size_t producer : nodes[i].producers) {
      read[producer] = true;
      if (!exact.contains(i)) read_otherwise[producer] = true;
    }
  }
}

// An input that a node of the format reads is rounded for all of them.
ValueMap MixedPrecisionTrials::feed(size_t sample, const NodeSet& exact) const {
  std::unordered_set<std::string> rounded;
  for (size_t i = 0; i < model_.nodes().size(); ++i) {
    if (exact.contains(i)) continue;
    rounded.insert(model_.nodes()[i].reads.begin(), model_.nodes()[i].reads.end());
  }
  ValueMap values;
  for (const auto& [name, value] : feeds_[sample]) {
    const Array* array = value.as_tensor();
    const bool rounds = array && rounded.contains(name);
    values.set(name, rounds ? Value(round_to(*array, format_)) : value);
  }
  return values;
}

// In each of the evaluations, which round at random.
bool MixedPrecisionTrials::agree(const ModelSource& source, const NodeSet& exact, int64_t times) {
  std::vector<std::unique_ptr<OutputJudge>> judges;
  for (int64_t time = 0; time < times; ++time)
    judges.push_back(std::make_unique<OutputJudge>(check_, "the model", source.path));
  try {
    run_samples(
        run_.noise, source, static_cast<int64_t>(feeds_.size()), times,
        [&](int64_t sample, int64_t) { return feed(static_cast<size_t>(sample), exact); },
        [&](int64_t sample, int64_t time, const ArrayMap& outputs) {
          const auto at = static_cast<size_t>(sample);
          ArrayMap reference, observed;
          for (const std::string& name : model_.outputs()) {  // others are constants
            if (const Array* array = reference_[at].find(name)) reference.set(name, *array);
            if (const Array* array = outputs.find(name)) observed.set(name, *array);
          }
          judges[static_cast<size_t>(time)]->add(feeds_[at], reference, observed);
        },
        job_.cancel);
  } catch (const RunnerFailure& failure) {
    log_.verbose(kLocate, std::string("An evaluation failed: ") + failure.what());
    return false;
  }
  for (const auto& judge : judges) {
    verdict_ = judge->verdict();
    if (verdict_.agreement != Agreement::kAgrees) return false;
  }
  return true;
}

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
      const std::string formats =
          format_text(result_formats(model_.model()), NumberFormat::kFloat32);
      remedy.note = formats == name_of(NumberFormat::kFloat32)
                        ? "the target already computes in float32"
                        : fmt::format(
                              "the model itself has results in {}, and a remedy is for a "
                              "model in float32 on a target with a coarser format",
                              formats);
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
