#include "polygraphy/diagnosis/locate/model_verdict.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/locate/side_runs.h"

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

std::vector<ArrayMap> outputs_of_side(const LocateJob& job, const LocateSide& side,
                                      const std::optional<RunnerMaker>& maker,
                                      const WholeModel& model, const std::vector<ValueMap>& feeds,
                                      Logger& log) {
  std::vector<ArrayMap> outputs(feeds.size());
  run_side(
      side, maker, job.model, model.outputs(), feeds,
      [&](int64_t sample, ArrayMap tensors) {
        outputs[static_cast<size_t>(sample)] = std::move(tensors);
      },
      job.cancel, log);
  return outputs;
}

}  // namespace

Verdict model_verdict(const LocateRun& run, const WholeModel& model,
                      const std::vector<ValueMap>& feeds, Logger& log) {
  const LocateJob& job = run.job;
  const ProgressPhase phase("running the model as it is");
  std::vector<ArrayMap> references =
      outputs_of_side(job, job.reference, run.reference, model, feeds, log);
  std::vector<ArrayMap> targets = outputs_of_side(job, job.target, run.target, model, feeds, log);
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
  for (size_t i = 0; i < feeds.size(); ++i) {
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
