#include "calls/given_noise.h"

#include <string>
#include <utility>

#include "api/given_names.h"
#include "base/error.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/locate/requested_format.h"

namespace native {

using polygraphy::Error;

namespace {

// null: noise alone judges.
const polygraphy::Metric* metric_with_noise(const polygraphy::CompareOptions& options) {
  if (options.metrics.size() == 1) {
    const polygraphy::Metric* metric = options.metrics.front();
    if (metric->reads_noise) return metric;
    if (metric->name == "simple") return nullptr;
  }
  throw Error("noise_floor judges in the place of other metrics than 'tokens'.",
              "Leave out metric or noise_floor.");
}

}  // namespace

GivenNoise::GivenNoise(const Keywords& keywords)
    : wanted_(!keywords.is_none("noise_floor")),
      runs_(keywords.integer("noise_runs")),
      threshold_(to_double(keywords.get("noise_threshold"))),
      quantization_(keywords.flag("quantization_noise")) {
  if (!wanted_) return;
  if (const std::string name = keywords.text("noise_floor"); name != "auto")
    format_ = number_format_named(name);
  if (runs_ < 2) {
    throw Error(
        "noise_runs was " + std::to_string(runs_) + ", but a single evaluation shows no spread.",
        "Give 2 or more.");
  }
  if (!(threshold_ >= 1)) throw Error("A noise_threshold below 1 is below the noise itself.");
}

void GivenNoise::use(const GivenRun& given, const std::vector<polygraphy::RunnerSpec>& runners,
                     ModelFeeds feeds, JobRunnerFactory& factory, Job& job,
                     polygraphy::CompareOptions& options) const {
  if (!wanted_) return;
  polygraphy::NoiseFloorJob floor{
      .model = factory.onnx(given.source()),
      .make_feeds = std::move(feeds.make),
      .format = format_,
  };
  floor.caches = std::move(feeds.caches);
  for (const polygraphy::RunnerSpec& runner : runners) {
    floor.asked.set(runner.name, polygraphy::requested_format(runner));
    if (!runner.model.empty())
      floor.other_models.push_back(factory.form_for(runner, given.source()));
  }
  floor.runs = runs_;
  floor.threshold = threshold_;
  floor.quantization = quantization_;
  floor.metric = metric_with_noise(options);
  floor.metric_options = options.metric_options;
  floor.cancel = job.cancel();
  options.compare_script = polygraphy::noise_floor(std::move(floor), factory, job.log());
}

}  // namespace native
