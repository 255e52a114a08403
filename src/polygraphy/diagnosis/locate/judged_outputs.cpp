#include "polygraphy/diagnosis/locate/judged_outputs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/diagnosis/locate/noise_floor_of.h"

namespace polygraphy {
namespace {

std::vector<std::string> of_one_side(const ArrayMap& reference, const ArrayMap& target) {
  std::vector<std::string> names;
  for (const auto& [one, other] :
       {std::pair(&reference, &target), std::pair(&target, &reference)}) {
    for (const auto& [name, array] : *one) {
      if (!other->contains(name)) names.push_back(name);
    }
  }
  return names;
}

// Of outputs that were not compared, those that only one side has are off: both run one model.
void fail_missing(const ArrayMap& reference, const ArrayMap& target, JudgedSample& sample) {
  const auto [first, last] = std::ranges::stable_partition(
      sample.left,
      [&](const std::string& name) { return reference.contains(name) == target.contains(name); });
  for (auto name = first; name != last; ++name) sample.units.push_back({.name = *name});
  sample.left.erase(first, last);
}

NoiseFloorJob noise_job(const LocateRun& run, const std::vector<ValueMap>& feeds) {
  const LocateJob& job = run.job;
  return {.model = job.model,
          .noise = job.noise,
          .make_feeds = [&feeds] { return given_feeds(feeds); },
          .format = job.format,
          .runs = job.noise_runs,
          .threshold = job.threshold,
          .seed = job.seed,
          .quantization = job.quantization,
          .rounded_inputs = run.reference_model ? run.reference_model->rounded_inputs()
                                                : std::vector<std::string>(),
          .metric = job.metric,
          .metric_options = job.metric_options,
          .cancel = job.cancel};
}

}  // namespace

RunRecord outputs_by_check(const LocateRun& run, const std::vector<ValueMap>& feeds,
                           const SideOutputs& reference, const SideOutputs& target) {
  OutputJudge judge(*run.job.check, reference.name, target.name);
  for (size_t i = 0; i < feeds.size(); ++i)
    judge.add(feeds[i], reference.samples[i], target.samples[i]);
  RunRecord record = judge.record();
  for (PairRecord& pair : record.pairs) {
    for (size_t i = 0; i < pair.samples.size() && !run.reference_model; ++i)
      fail_missing(reference.samples[i], target.samples[i], pair.samples[i]);
  }
  return record;
}

RunRecord outputs_by_noise(const LocateRun& run, const WholeModel& model,
                           const std::vector<ValueMap>& feeds, const SideOutputs& reference,
                           const SideOutputs& target, const Measurements& measurements, bool runs,
                           Logger& log) {
  Logger quiet;
  show_as_verbose(quiet, log, log_modules::kLocate);
  const auto known = [&](size_t sample, const std::string& tensor) -> const ExactWithNoise* {
    const auto found = measurements.find(tensor);
    return found != measurements.end() && sample < found->second.known.size()
               ? &found->second.known[sample]
               : nullptr;
  };
  const auto judge = noise_floor_of(model, noise_job(run, feeds), run.noise.factory, quiet,
                                    {.of = known, .is_all = !runs});
  PairRecord pair{.reference = reference.name, .target = target.name};
  for (size_t i = 0; i < feeds.size(); ++i) {
    IterationResult one, other;
    one.outputs = reference.samples[i];
    one.runner_name = reference.name;
    other.outputs = target.samples[i];
    other.runner_name = target.name;
    const std::vector<std::string> missing = of_one_side(one.outputs, other.outputs);
    const bool common = missing.size() < one.outputs.size() + other.outputs.size();
    JudgedSample sample = common ? judged_sample(judge->compare(one, other)) : JudgedSample{};
    std::ranges::copy(missing, std::back_inserter(sample.left));
    if (!run.reference_model) fail_missing(one.outputs, other.outputs, sample);
    pair.samples.push_back(std::move(sample));
  }
  return {.measure = judge->measure(), .pairs = {std::move(pair)}};
}

Verdict verdict_on(const WholeModel& model, const RunRecord& outputs) {
  Verdict verdict = outputs.verdict();
  verdict.total =
      std::max(verdict.total, std::ssize(model.outputs()) + std::ssize(model.unmade_outputs()));
  return verdict;
}

}  // namespace polygraphy
