#include "cli/jobs/noise_floor_option.h"

#include <string>

#include "base/error.h"
#include "cli/args/noise.h"
#include "cli/distribution/task_threads.h"
#include "cli/jobs/option_warnings.h"
#include "cli/session/deferred_interrupts.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/locate/requested_format.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy::cli {
namespace {

// Of results that are not the model's outputs as they are, or not all at once, no noise is known.
constexpr std::string_view kContrary[] = {"--compare-func-script", "--postprocess",
                                          "--postprocess-func-script", "--mem-limit",
                                          "--check-average"};

// The comparison function that judges by noise; null: noise alone judges.
const Metric* metric_with_noise(const ParsedArgs& args, const CompareOptions& options) {
  if (!args.has("--compare")) return nullptr;
  if (options.metrics.size() == 1 && options.metrics.front()->reads_noise)
    return options.metrics.front();
  throw Error("--noise-floor and --compare exclude each other, but for --compare tokens",
              "Leave one of them out.");
}

void check_options(const ParsedArgs& args, const RunPlan& plan, Logger& log) {
  refuse_together(args, "--noise-floor", kContrary);
  if (plan.model.path.empty()) {
    throw Error("--noise-floor needs the model to compute its rounding noise",
                "Give the ONNX model of the outputs.");
  }
  const Metric* metric = metric_with_noise(args, plan.options);
  warn_of_function_options(args, "--noise-floor", metric ? metric->name : "", log);
}

}  // namespace

void judge_by_noise(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job) {
  const ParsedArgs& args = session.args();
  if (!args.has("--noise-floor")) return;
  check_options(args, plan, session.log());
  const std::string typed(args.text("--noise-floor").value_or(std::string(kAutomaticFormat)));
  NoiseFloorJob floor{.model = factory.onnx(plan.source)};
  floor.make_feeds = job.make_feeds;
  if (job.decoding) {
    floor.caches = job.decoding->caches();
    floor.make_feeds = [decoding = job.decoding, prompts = job.make_feeds] {
      return decoded_feeds(decoding, prompts());
    };
  }
  floor.format = resolve_format(typed);
  for (const RunnerSpec& runner : job.runners) {
    floor.asked.set(runner.name, requested_format(runner));
    if (!runner.model.empty()) floor.other_models.push_back(factory.form_for(runner, plan.source));
  }
  resolve_noise(args, floor.runs, floor.threshold);
  floor.quantization = args.has("--quantization-noise");
  floor.metric = metric_with_noise(args, plan.options);
  floor.metric_options = plan.options.metric_options;
  if (args.has("--save-task")) set_noise_threads(args, floor.noise);
  floor.cancel = cancel_token(session.env());
  job.model.inline_refused = true;
  job.options.compare_script = noise_floor(std::move(floor), factory, session.log());
}

}  // namespace polygraphy::cli
