#include "polygraphy/diagnosis/locate/model_verdict.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/model_runs.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"

namespace polygraphy {
namespace {

// Feeds that are in memory.
class GivenFeeds : public FeedSource {
 public:
  explicit GivenFeeds(const std::vector<ValueMap>& feeds) : feeds_(feeds) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (next_ == feeds_.size()) return std::nullopt;
    return feeds_[next_++];
  }

 private:
  const std::vector<ValueMap>& feeds_;
  size_t next_ = 0;
};

std::vector<ArrayMap> outputs_of_side(const LocateRun& run, const LocateSide& side,
                                      const std::optional<RunnerMaker>& maker,
                                      const WholeModel& model, const std::vector<ValueMap>& feeds) {
  const auto samples = static_cast<int64_t>(feeds.size());
  if (maker) {
    return outputs_of(
        *maker, run.job.model, samples,
        [&](int64_t sample) { return feeds[static_cast<size_t>(sample)]; }, run.job.cancel);
  }
  std::vector<ArrayMap> outputs;
  for (int64_t sample = 0; sample < samples; ++sample) {
    const auto all = saved_tensors(std::get<SavedSide>(side), sample);
    ArrayMap& some = outputs.emplace_back();
    for (const std::string& name : model.outputs()) {
      if (const Array* array = all ? all->find(name) : nullptr) some.set(name, *array);
    }
  }
  return outputs;
}

}  // namespace

Verdict model_verdict(const LocateRun& run, const WholeModel& model,
                      const std::vector<ValueMap>& feeds, Logger& log) {
  const LocateJob& job = run.job;
  std::vector<ArrayMap> references =
      outputs_of_side(run, job.reference, run.reference, model, feeds);
  std::vector<ArrayMap> targets = outputs_of_side(run, job.target, run.target, model, feeds);
  Logger quiet;
  show_as_verbose(quiet, log, log_modules::kLocate);
  const auto judge = noise_floor({.model = job.model,
                                  .noise = job.noise,
                                  .make_feeds = [&] { return std::make_unique<GivenFeeds>(feeds); },
                                  .format = job.format,
                                  .runs = job.noise_runs,
                                  .threshold = job.threshold,
                                  .seed = job.seed,
                                  .cancel = job.cancel},
                                 run.noise.factory, quiet);
  for (size_t i = 0; i < std::min(references.size(), targets.size()); ++i) {
    IterationResult reference, target;
    reference.outputs = std::move(references[i]);
    reference.runner_name = name_of(job.reference);
    target.outputs = std::move(targets[i]);
    target.runner_name = name_of(job.target);
    judge->compare(reference, target);
  }
  Verdict verdict = *judge->verdict();
  verdict.total = std::max(verdict.total, static_cast<int64_t>(model.outputs().size()));
  return verdict;
}

}  // namespace polygraphy
