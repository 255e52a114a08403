#include "polygraphy/diagnosis/locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/os/scratch_folder.h"
#include "base/progress.h"
#include "base/size_text.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/diagnosis/locate/examined_nodes.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/mark_search.h"
#include "polygraphy/diagnosis/locate/model_outputs.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/locate/parts/locate_parts.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/diagnosis/locate/recorded_result.h"
#include "polygraphy/diagnosis/locate/remedy/remedy.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/parts/memory_shares.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {
namespace {

// Nodes whose bodies are looked into.
constexpr size_t kOpened = 3;

void check(const LocateJob& job) {
  if (job.noise_runs != 0) require_noise_runs(job.noise_runs);
  require_noise_threshold(job.threshold);
  if (job.reference_model && job.remedy) {
    throw Error("A remedy needs both sides to run the same model",
                "A search for sensitive layers finds those that must stay in floating point.");
  }
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (saved && job.reference_model)
      throw Error("Saved results run no model of the reference", "Give a runner.");
    if (saved && job.decode_step && side == &job.reference)
      throw Error("A step needs a runner as the reference, to make the cache", "Give a runner.");
    if (!saved || saved_tensors(*saved, 0)) continue;
    throw Error(kNothingToLocate, "No results of " + name_of(*side));
  }
}

// The steps of locate() for a model that is run as a whole.
class Location {
 public:
  Location(const LocateJob& job, RunnerFactory& factory, Logger& log)
      : of_(job, factory, log), record_(of_.begin()) {}

  LocateResult run() {
    ModelOutputs outputs(run_, model_, feeds_, of_.log);
    measure(outputs);
    if (outputs.run_second_session()) measure(outputs);
    std::ranges::copy(outputs.notes(), std::back_inserter(record_.notes));
    if (job_.check) record_.outputs = outputs.by_check();
    const RunRecord by_noise = outputs.by_noise(measurements_);
    if (!job_.check) record_.outputs = by_noise;
    result_ = recorded_result(of_, of_.chains, record_);
    if (of_.leaves_samples() && result_.verdict.reason.empty())
      result_.verdict.reason = left_iterations(result_.samples);
    const Verdict verdict = by_noise.verdict();
    if (verdict.failed()) result_.varies = outputs.variation(measurements_);
    if (verdict.agreement == Agreement::kDiffers)
      search_fusion(outputs.exceeds_noise(measurements_));
    if (job_.prove && result_.varies.empty())
      acquit_victims(run_, model_, feeds_, measurements_, result_.in_order);
    rank_nodes();
    const NodePart guilty = guilty_nodes();
    if (verdict.passed() && result_.guilty()) result_.varies = outputs.variation(measurements_);
    if (!result_.varies.empty()) {
      if (job_.remedy) result_.remedy = LocateRemedy{.note = "the results vary from run to run"};
      return std::move(result_);
    }
    if (job_.prove && !guilty.empty()) add_proof(guilty);
    if (job_.remedy) add_remedy(guilty);
    return std::move(result_);
  }

 private:
  void measure(ModelOutputs& outputs) {
    measurements_.clear();
    run_.differing = outputs.differing();
    measure_nodes(run_, model_, of_.chains, feeds_, measurements_, of_.log,
                  [&](const std::vector<ArrayMap>& tensors) { outputs.read_marked(tensors); });
  }

  // Marked tensors change how an engine computes: what only the model as it is shows is looked for
  // by marking fewer. The search judges by the noise that was measured with all of them:
  // `exceeds_noise`, whether outputs are off by that.
  void search_fusion(bool exceeds_noise) {
    if (is_explained(result_.in_order, result_.off) || !result_.varies.empty() || !run_.target ||
        run_.reference_model)
      return;
    if (!exceeds_noise) {
      // A metric may differ by less than the noise, and there is nothing to find then.
      if (!job_.metric)
        result_.fusion = LocateFusion{
            .note = "without that, the outputs differ by less than the noise of these tensors"};
      return;
    }
    add_fusion(find_fusion(run_, model_, feeds_, feeds_, measurements_,
                           "the difference vanishes if local functions are inlined and "
                           "Constant nodes are initializers"),
               result_);
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
      return examine_bodies(run_, model_, feeds_, finding, of_.log);
    } catch (const RunnerFailure& failure) {
      result_.notes.push_back("The bodies of '" + finding.node +
                              "' were not compared: " + failure.what());
      return {};
    }
  }

  NodePart guilty_nodes() const {
    NodePart guilty;
    for (const NodeFinding& finding : result_.in_order) {
      if (!finding.ran_with.empty()) continue;  // that node has the result of both
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
    result_.remedy = find_remedy(run_, model_, feeds_, order, guilty, of_.log);
  }

  LocatedModel of_;
  LocateRecord record_;
  LocateRun& run_ = of_.run;
  const LocateJob& job_ = run_.job;
  const WholeModel& model_ = of_.model;
  const std::vector<ValueMap>& feeds_ = of_.feeds();
  Measurements& measurements_ = record_.measurements;
  LocateResult result_;
};

// Engines run one after the other.
constexpr uint64_t kEngines = 1;

// The request that needs the whole model; empty: none does. `quantized`: the model has weights
// whose rounding may be noise.
std::string needs_whole(const LocateJob& job, bool quantized) {
  if (job.remedy) return "A remedy";
  if (job.reference_model) return "A model of the reference";
  if (job.quantization && quantized) return "Noise of quantization";
  if (job.decode_step) return "A step of decoding";
  return {};
}

// The most that a part may take within LocateJob::memory_limit; nullopt: the whole model fits, or
// there is no limit. Throws Error (kNeedsWholeModel, kMemoryLimitTooLow).
std::optional<int64_t> forced_part_bytes(const LocateJob& job) {
  if (job.memory_limit == 0) return std::nullopt;
  Logger quiet;
  if (job.reference_model) {
    const uint64_t weights = weight_bytes(*load_onnx(*job.reference_model, quiet));
    if (!weights_fit(weights, job.memory_limit, kEngines))
      require_parts_suffice(needs_whole(job, false), weights, job.memory_limit);
  }
  const auto model = load_onnx(job.model, quiet);
  const uint64_t weights = weight_bytes(*model);
  if (weights_fit(weights, job.memory_limit, kEngines)) return std::nullopt;
  const int64_t bytes = part_bytes_within(job.memory_limit, kEngines);
  require_parts_suffice(needs_whole(job, has_quantized_weights(*model)), weights, job.memory_limit);
  require_each_fits(*model, bytes_left(job.memory_limit, kEngines), job.memory_limit);
  return bytes;
}

// Measures all parts in place, then alone. Tensors of parts are in a temporary folder meanwhile.
// Throws Error (kNotCut).
LocateResult locate_in_parts(const LocateJob& job, int64_t part_bytes, RunnerFactory& factory,
                             Logger& log) {
  const ScratchFolder folder((job.scratch.empty() ? temporary_folder() : job.scratch) +
                             "/.polygraphy-parts-");
  LocateParts parts({.job = job, .part_bytes = part_bytes}, factory, log);
  LocateRecord record = parts.in_place(folder.path());
  add_alone(record, parts.alone(record, folder.path(), 0, record.parts));
  LocateResult result = parts.result(record);
  result.notes.push_back(
      fmt::format("The weights do not fit the memory limit of {}: bodies of nodes and the proof, "
                  "which need the whole model, were left out",
                  size_text(static_cast<int64_t>(job.memory_limit))));
  return result;
}

// With ONNX models, and feeds in place of prompts.
LocateJob prepared(LocateJob job, RunnerFactory& factory, Logger& log) {
  job.model = factory.onnx(job.model);
  if (job.reference_model) job.reference_model = factory.onnx(*job.reference_model);
  if (!job.decoding) return job;
  if (!job.decode_step) {
    job.make_feeds = prefill_feeds(job.decoding, std::move(job.make_feeds));
    return job;
  }
  RunnerSpec maker = std::get<RunnerSpec>(job.reference);
  maker.name += " (prompt)";
  job.make_feeds = [decoding = job.decoding, step = *job.decode_step, maker,
                    model = job.reference_model.value_or(job.model),
                    prompts = std::move(job.make_feeds), &factory, &log] {
    return step_feeds(decoding, step, factory.make(maker, model, log), prompts());
  };
  return job;
}

// The verdict on a step is not a verdict on the model.
void name_step(int64_t step, LocateResult& result) {
  result.verdict.place = fmt::format("step {}", step);
  if (step == 0 || !result.clean() || result.guilty()) return;
  result.notes.push_back(fmt::format(
      "Step {} was judged alone, with the reference's cache: neither the prefill, which is step 0, "
      "nor other steps",
      step));
}

}  // namespace

LocateResult locate(const LocateJob& asked, RunnerFactory& factory, Logger& log) {
  check(asked);
  const LocateJob job = prepared(asked, factory, log);
  const auto part_bytes = forced_part_bytes(job);
  LocateResult result = part_bytes ? locate_in_parts(job, *part_bytes, factory, log)
                                   : Location(job, factory, log).run();
  if (job.decode_step) name_step(*job.decode_step, result);
  return result;
}

}  // namespace polygraphy
