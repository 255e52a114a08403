#include "polygraphy/diagnosis/locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/comparison/compare/left_iterations.h"
#include "polygraphy/diagnosis/locate/acquitted_nodes.h"
#include "polygraphy/diagnosis/locate/computed_format.h"
#include "polygraphy/diagnosis/locate/examined_nodes.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/locate_samples.h"
#include "polygraphy/diagnosis/locate/mark_search.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/diagnosis/locate/model_outputs.h"
#include "polygraphy/diagnosis/locate/noise_floor_of.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/locate/parts/locate_in_parts.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/diagnosis/locate/remedy/remedy.h"
#include "polygraphy/diagnosis/locate/reported_nodes.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/noise/result_formats.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {
namespace {

// Nodes whose bodies are looked into.
constexpr size_t kOpened = 3;

void check(const LocateJob& job) {
  if (job.reference_model && job.remedy) {
    throw Error("A remedy needs both sides to run the same model",
                "A search for sensitive layers finds those that must stay in floating point.");
  }
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (saved && job.reference_model)
      throw Error("Saved results run no model of the reference", "Give a runner.");
    if (!saved || saved_tensors(*saved, 0)) continue;
    throw Error(kNothingToLocate, "No results of " + name_of(*side));
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
    ask_formats(run_, model_, result_.notes);
    require_float16();
    check_quantization();
    if (job_.remedy) require_sense(job_.remedy->check, model_.outputs());
    if (job_.reference_model) use_reference_model();
    LocateSamples samples = locate_samples(run_, model_, log_);
    feeds_ = std::move(samples.feeds);
    run_.generated_feeds = samples.generated;
    if (run_.reference_model) {
      run_.reference_feeds = feeds_;
      for (ValueMap& feed : feeds_) feed = run_.reference_model->target_feed(feed);
    }
    result_.reference = name_of(job_.reference);
    result_.target = name_of(job_.target);
    result_.saved_reference = std::holds_alternative<SavedSide>(job_.reference);
    result_.format = job_.format;
    result_.noise = format_text(result_formats(model_.model()), job_.format);
    result_.quantization = job_.quantization;
    result_.samples = static_cast<int64_t>(feeds_.size());
    result_.outputs = model_.outputs();
    result_.inlined = model_.inlined();
    const ModelOutputs whole(run_, model_, feeds_, log_);
    std::ranges::copy(whole.notes(), std::back_inserter(result_.notes));
    run_.differing = whole.differing();
    if (job_.check) result_.verdict = whole.by_check();
    result_.in_order = examine_nodes(run_, model_, feeds_, measurements_, log_);
    require_anything(result_.in_order);
    const Verdict by_noise = whole.by_noise(measurements_);
    if (!job_.check) result_.verdict = by_noise;
    if (samples.left) add_left_samples();
    if (by_noise.failed()) result_.varies = whole.variation(measurements_);
    result_.off = outputs_off(job_, model_, measurements_);
    if (by_noise.agreement == Agreement::kDiffers) add_fusion(whole.exceeds_noise(measurements_));
    add_reference_note(job_, model_, measurements_, result_);
    if (job_.prove && result_.varies.empty())
      acquit_victims(run_, model_, feeds_, measurements_, result_.in_order);
    rank_nodes();
    const NodePart guilty = guilty_nodes();
    if (by_noise.passed() && result_.guilty()) result_.varies = whole.variation(measurements_);
    if (!result_.varies.empty()) {
      if (job_.remedy) result_.remedy = LocateRemedy{.note = "the results vary from run to run"};
      return std::move(result_);
    }
    if (job_.prove && !guilty.empty()) add_proof(guilty);
    if (job_.remedy) add_remedy(guilty);
    return std::move(result_);
  }

 private:
  void use_reference_model() {
    run_.reference_model.emplace(job_, model_, run_.placement, log_);
    require_float_model(run_.reference_model->model().model(), job_.reference_model->path,
                        model_.model(), job_.model.path);
    job_.quantization = has_quantized_weights(model_.model());
    use_coarser_format();
    const auto count = std::ranges::count_if(model_.nodes(), [&](const NodeFacts& node) {
      return std::ranges::any_of(
          node.makes, [&](const std::string& tensor) { return run_.reference_model->has(tensor); });
    });
    const size_t all = model_.nodes().size();
    log_.log(static_cast<size_t>(count) * 2 < all ? Severity::kWarning : Severity::kInfo,
             log_modules::kLocate,
             fmt::format("{} of {} nodes have results that {} has, too", count, all,
                         job_.reference_model->path));
  }

  // Two results cannot agree better than the coarser of both models permits. A coarser format of
  // the target's model is in its types, so its noise has it already.
  void use_coarser_format() {
    const auto coarse = run_.reference_model->coarser_format(model_);
    if (!coarse || !job_.ask_format) return;
    job_.format = pair_format(job_.format, coarse);
    run_.reference_is_coarser = true;
    log_.info(
        log_modules::kLocate,
        fmt::format("{} has results in {}, which {} has in a finer format: the noise of {} counts",
                    job_.reference_model->path, name_of(*coarse), job_.model.path,
                    name_of(job_.format)));
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

  // Else the quantisation is not noise.
  void check_quantization() {
    if (!job_.quantization || has_quantized_weights(model_.model())) return;
    result_.notes.emplace_back(kNotQuantized);
    job_.quantization = false;
  }

  // Marked tensors change how an engine computes: what only the model as it is shows is looked for
  // by marking fewer. The search judges by the noise that was measured with all of them:
  // `exceeds_noise`, whether outputs are off by that.
  void add_fusion(bool exceeds_noise) {
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
    result_.fusion = find_fusion(run_, model_, feeds_, feeds_, measurements_,
                                 "the difference vanishes if local functions are inlined and "
                                 "Constant nodes are initializers");
    blame_fused(*result_.fusion, result_.in_order);
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
    result_.remedy = find_remedy(run_, model_, feeds_, order, guilty, log_);
  }

  LocateRun run_;
  LocateJob& job_ = run_.job;
  const WholeModel model_;
  Logger& log_;
  std::vector<ValueMap> feeds_;
  Measurements measurements_;
  LocateResult result_;
};

LocateResult locate_whole(const LocateJob& job, RunnerFactory& factory, Logger& log) {
  if (const auto bytes = forced_part_bytes(job))
    return locate_in_parts({.job = job, .part_bytes = *bytes}, factory, log);
  return Location(job, factory, log).run();
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

LocateResult locate(const LocateJob& job, RunnerFactory& factory, Logger& log) {
  check(job);
  LocateResult result = locate_whole(job, factory, log);
  if (job.decode_step) name_step(*job.decode_step, result);
  return result;
}

}  // namespace polygraphy
