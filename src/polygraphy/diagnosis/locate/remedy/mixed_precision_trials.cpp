#include "polygraphy/diagnosis/locate/remedy/mixed_precision_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/passes/float16.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/models/noise/noisy_model.h"
#include "polygraphy/models/noise/rounding.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kLocate;

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

}  // namespace

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
    if (read[i] && !read_otherwise[i] &&
        moves_numbers(*model_.model().graph->nodes()[i]) &&
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

}  // namespace polygraphy
