#include "polygraphy/diagnosis/locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/comparison/compare/left_iterations.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/locate/computed_format.h"
#include "polygraphy/diagnosis/locate/examined_nodes.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/mark_search.h"
#include "polygraphy/diagnosis/locate/measurements.h"
#include "polygraphy/diagnosis/locate/model_outputs.h"
#include "polygraphy/diagnosis/locate/models/whole_model.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/diagnosis/locate/remedy.h"
#include "polygraphy/diagnosis/locate/requested_format.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

// Nodes whose bodies are looked into.
constexpr size_t kOpened = 3;

// The fewest samples that a side has, and the most, of saved results.
std::pair<int64_t, int64_t> saved_samples(const LocateJob& job) {
  int64_t fewest = std::numeric_limits<int64_t>::max(), most = 0;
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (!saved) continue;
    const int64_t samples = std::ssize(saved->results->runners[saved->runner].second);
    fewest = std::min(fewest, samples);
    most = std::max(most, samples);
  }
  return {fewest, most};
}

struct Samples {
  std::vector<ValueMap> feeds;  // of those that all sides have
  bool left;                    // some sides have more
};

Samples read_samples(const LocateJob& job, const WholeModel& model, Logger& log) {
  const Metadata inputs = metadata_of_variables(model.model().graph->inputs());
  Samples samples{.feeds = {}, .left = false};
  std::vector<ValueMap>& feeds = samples.feeds;
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  // Saved results have as many samples as they have.
  const auto [fewest, most] = saved_samples(job);
  while (auto feed = source->next(inputs)) {
    if (std::ssize(feeds) == fewest) {
      samples.left = true;
      break;
    }
    ValueMap wanted;
    for (const std::string& name : model.inputs()) {
      if (Value* value = feed->find(name)) wanted.set(name, std::move(*value));
    }
    feeds.push_back(std::move(wanted));
    job.cancel.check();
  }
  samples.left |= most > std::ssize(feeds);
  return samples;
}

void check(const LocateJob& job) {
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (!saved || saved_tensors(*saved, 0)) continue;
    throw Error(kNothingToLocate, "No results of " + name_of(*side));
  }
}

void require_anything(const std::vector<NodeFinding>& findings) {
  const bool any = findings.empty() ||
                   std::any_of(findings.begin(), findings.end(), [](const NodeFinding& finding) {
                     return finding.isolated || finding.accumulated;
                   });
  if (any) return;
  throw Error(kNothingToLocate,
              "No tensor of the model can be compared; '" + findings.front().tensor +
                  "': " + findings.front().note,
              "Saved results must have the names of the model's tensors.");
}

// If the embedded runtime disagrees with the reference, the reference may be wrong.
void add_reference_note(const LocateJob& job, const WholeModel& model,
                        const Measurements& measurements, LocateResult& result) {
  const auto is_off = [&](size_t position) {
    const auto& makes = model.nodes()[position].makes;
    return std::any_of(makes.begin(), makes.end(), [&](const std::string& name) {
      const auto found = measurements.find(name);
      return found != measurements.end() && found->second.reference_ratio > job.threshold;
    });
  };
  const bool said = std::ranges::any_of(result.in_order, [](const NodeFinding& finding) {
    return finding.verdict == NodeVerdict::kReferenceDeviates;
  });
  for (size_t i = 0; i < model.nodes().size() && !said; ++i) {
    const NodeFacts& node = model.nodes()[i];
    if (!is_off(i) || std::any_of(node.producers.begin(), node.producers.end(), is_off)) continue;
    result.notes.push_back(
        fmt::format("{} computes '{}' ({}) differently from the runtime that computes the noise: "
                    "check which one "
                    "is correct",
                    name_of(job.reference), node.name, node.op));
    return;
  }
}

// The steps of locate().
class Location {
 public:
  Location(const LocateJob& job, RunnerFactory& factory, Logger& log)
      : run_(job, factory, log),
        model_(std::move(*load_onnx(job.model, log)), job.scratch, run_.placement),
        log_(log) {}

  LocateResult run() {
    find_format();
    require_float16();
    Samples samples = read_samples(job_, model_, log_);
    feeds_ = std::move(samples.feeds);
    if (feeds_.empty()) throw Error(kNothingToLocate, "No sample to run the model on");
    result_.reference = name_of(job_.reference);
    result_.target = name_of(job_.target);
    result_.saved_reference = std::holds_alternative<SavedSide>(job_.reference);
    result_.format = job_.format;
    result_.samples = static_cast<int64_t>(feeds_.size());
    result_.outputs = model_.outputs();
    result_.inlined = model_.inlined();
    const ModelOutputs whole(run_, model_, feeds_, log_);
    std::ranges::copy(whole.notes(), std::back_inserter(result_.notes));
    const Verdict by_noise = whole.by_noise();
    exceeds_noise_ = by_noise.agreement == Agreement::kDiffers;
    result_.verdict = job_.agrees ? whole.by_tolerances() : by_noise;
    if (samples.left) add_left_samples();
    if (!by_noise.passed()) result_.varies = whole.variation();
    result_.in_order = examine_nodes(run_, model_, feeds_, measurements_, log_);
    require_anything(result_.in_order);
    find_outputs_off();
    add_fusion();
    add_reference_note(job_, model_, measurements_, result_);
    rank_nodes();
    const NodePart guilty = guilty_nodes();
    if (by_noise.passed() && result_.guilty()) result_.varies = whole.variation();
    if (!result_.varies.empty()) {
      if (job_.remedy) result_.remedy = LocateRemedy{.note = "the results vary from run to run"};
      return std::move(result_);
    }
    if (job_.prove && !guilty.empty()) add_proof(guilty);
    if (job_.remedy) add_remedy(guilty);
    return std::move(result_);
  }

 private:
  void find_format() {
    if (!job_.ask_format) return;
    const auto reference = computed_format(job_.reference, run_.reference, model_);
    const auto target = computed_format(job_.target, run_.target, model_);
    job_.format = pair_format(reference, target);
    run_.target_format = target.value_or(job_.format);
    add_format_note(job_.reference, reference);
    add_format_note(job_.target, target);
  }

  // A runner may compute in another format than the requested one.
  void add_format_note(const LocateSide& side, std::optional<NumberFormat> computed) {
    if (!computed) return;
    const NumberFormat asked = requested_format(std::get<RunnerSpec>(side));
    if (*computed == asked) return;
    result_.notes.push_back(
        fmt::format("{} runs in {} although {} was requested; {} noise is used as the limit",
                    name_of(side), name_of(*computed), name_of(asked), name_of(job_.format)));
  }

  void add_left_samples() {
    const std::string left = left_iterations(result_.samples);
    result_.notes.push_back("The sides have different numbers of iterations: " + left);
    if (result_.verdict.reason.empty()) result_.verdict.reason = left;
  }

  // Before the work.
  void require_float16() const {
    if (!job_.remedy || job_.remedy->output.path.empty() ||
        run_.target_format == NumberFormat::kFloat16)
      return;
    throw Error(
        kNoModelWithCasts,
        fmt::format("A model with Casts can be written for float16 only, but {} computes in "
                    "{}",
                    name_of(job_.target), name_of(run_.target_format)));
  }

  void find_outputs_off() {
    for (const std::string& name : model_.outputs()) {
      const auto found = measurements_.find(name);
      if (found == measurements_.end() || !found->second.accumulated) continue;
      if (found->second.accumulated->ratio > job_.threshold) result_.off.push_back(name);
    }
  }

  // Marked tensors change how an engine computes: what only the model as it is shows is looked for
  // by marking fewer.
  void add_fusion() {
    const bool found =
        !result_.off.empty() ||
        std::any_of(result_.in_order.begin(), result_.in_order.end(), [](const NodeFinding& one) {
          return is_guilty(one.verdict) || one.reference_deviates;
        });
    if (found || !exceeds_noise_ || !result_.varies.empty() || !run_.reference || !run_.target)
      return;
    const ProgressPhase phase("marking fewer tensors");
    try {
      result_.fusion = find_fusion(run_, model_, feeds_, measurements_);
    } catch (const RunnerFailure& failure) {
      result_.fusion = LocateFusion{.note = failure.what()};
    }
    for (const std::string& tensor : result_.fusion->tensors) {
      for (NodeFinding& node : result_.in_order) {
        const auto has = [&](const std::vector<std::string>& names) {
          return std::find(names.begin(), names.end(), tensor) != names.end();
        };
        if (!has(node.makes) && !has(node.reads)) continue;
        node.verdict = NodeVerdict::kGuiltyFused;
        node.note = fmt::format("the difference vanishes if '{}' is an output, too", tensor);
      }
    }
  }

  // A node whose body has the guilty ones comes behind all that are guilty themselves.
  void rank_nodes() {
    std::vector<NodeFinding> ranked = result_.in_order;
    rank(ranked);
    std::vector<NodeFinding> enclosing, others;
    size_t opened = 0;
    for (NodeFinding& finding : ranked) {
      if (!is_guilty(finding.verdict)) {
        others.push_back(std::move(finding));
        continue;
      }
      std::vector<NodeFinding> inside;
      if (model_.nodes()[finding.position].has_bodies && opened++ < kOpened)
        inside = guilty_in_bodies(finding);
      if (!inside.empty()) {
        finding.verdict = NodeVerdict::kEncloses;
        finding.note = "its body holds '" + inside.front().node + "'";
      }
      (inside.empty() ? result_.nodes : enclosing).push_back(std::move(finding));
      std::move(inside.begin(), inside.end(), std::back_inserter(result_.nodes));
    }
    for (std::vector<NodeFinding>* more : {&enclosing, &others})
      std::move(more->begin(), more->end(), std::back_inserter(result_.nodes));
  }

  std::vector<NodeFinding> guilty_in_bodies(const NodeFinding& finding) {
    try {
      return examine_bodies(run_, model_, feeds_, finding, log_);
    } catch (const RunnerFailure& failure) {
      result_.notes.push_back("The bodies of '" + finding.node +
                              "' were not compared: " + failure.what());
      return {};
    }
  }

  NodePart guilty_nodes() const {
    NodePart guilty;
    for (const NodeFinding& finding : result_.in_order) {
      if (is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows)
        guilty.push_back(finding.position);
    }
    return guilty;
  }

  void add_proof(const NodePart& guilty) {
    const ProgressPhase phase("proving that the guilty nodes explain the error");
    try {
      result_.proof = prove(run_, model_, feeds_, guilty, measurements_);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& failure) {
      result_.proof = LocateProof{.note = failure.what()};
    }
  }

  void add_remedy(const NodePart& guilty) {
    std::vector<size_t> order;
    for (const NodeFinding& finding : result_.nodes) {
      if (finding.graph.empty()) order.push_back(finding.position);
    }
    const ProgressPhase phase("searching for a remedy");
    result_.remedy = find_remedy(run_, model_, feeds_, order, guilty, log_);
  }

  LocateRun run_;
  LocateJob& job_ = run_.job;
  const WholeModel model_;
  Logger& log_;
  std::vector<ValueMap> feeds_;
  Measurements measurements_;
  bool exceeds_noise_ = false;  // the model as it is
  LocateResult result_;
};

}  // namespace

bool LocateResult::clean() const {
  if (verdict.agreement != Agreement::kNotCompared) return verdict.passed();
  return off.empty() && std::none_of(nodes.begin(), nodes.end(), [](const NodeFinding& finding) {
           return is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows;
         });
}

const NodeFinding* LocateResult::guilty() const {
  return !nodes.empty() && is_guilty(nodes.front().verdict) ? &nodes.front() : nullptr;
}

LocateResult locate(const LocateJob& job, RunnerFactory& factory, Logger& log) {
  check(job);
  return Location(job, factory, log).run();
}

}  // namespace polygraphy
