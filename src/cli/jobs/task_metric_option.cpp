#include "cli/jobs/task_metric_option.h"

#include <optional>
#include <utility>

#include "cli/args/task_metric.h"
#include "cli/jobs/option_warnings.h"
#include "polygraphy/comparison/task_metrics/watched_feeds.h"
#include "polygraphy/data/inputs/saved_feeds.h"
#include "polygraphy/data/results/saved_inputs.h"

namespace polygraphy::cli {
namespace {

// They judge outputs, or need outputs of which one verdict on all samples has none.
constexpr std::string_view kContrary[] = {
    "--compare",   "--compare-func-script", "--check-average",         "--noise-floor",
    "--fail-fast", "--mem-limit",           "--save-accuracy-results", "--on",
    "--save-task"};

// The number of inputs, where it is known before they are read; nullopt: folders and scripts.
std::optional<int64_t> number_of_inputs(const DataLoaderArgs& inputs) {
  if (inputs.samples) return inputs.samples->size();
  if (inputs.script) return std::nullopt;
  if (inputs.load_inputs.empty()) return inputs.options.iterations;
  return count_saved_feeds(inputs.load_inputs);
}

// Whether saved inputs may come in another order: nothing else goes by theirs.
bool may_reorder(const ParsedArgs& args, const RunPlan& plan) {
  const CompareOptions& options = plan.options;
  return args.text("--metric-order").value_or("random") == "random" &&
         !plan.inputs.load_inputs.empty() && !plan.inputs.samples && options.load_outputs.empty() &&
         options.save_outputs.empty() && options.save_inputs.empty() &&
         options.save_input_blobs.empty();
}

}  // namespace

void check_task_metric(Session& session) {
  const ParsedArgs& args = session.args();
  if (!args.has("--metric")) return;
  refuse_together(args, "--metric", kContrary);
  warn_of_function_options(args, "--metric", {}, session.log());
}

void judge_by_task(Session& session, const RunPlan& plan, const std::shared_ptr<UserPython>& python,
                   RunJob& job) {
  const ParsedArgs& args = session.args();
  if (!args.has("--metric")) return;
  TaskMetricJob metric = resolve_task_metric(args, session.env(), python);
  for (const RunnerSpec& runner : job.runners) metric.runners.push_back(runner.name);
  if (!job.runners.empty()) metric.iterations = number_of_inputs(plan.inputs);
  if (metric.iterations && may_reorder(args, plan)) {
    metric.order = random_order(*metric.iterations);
    job.make_feeds = [&plan, python, order = metric.order, &log = session.log()] {
      return saved_feeds(plan.inputs.load_inputs, python, log, order);
    };
  }
  if (!metric.order.empty()) metric.even = true;
  const auto comparison = task_metric_comparison(std::move(metric), session.log());
  job.make_feeds = [make = std::move(job.make_feeds), comparison] {
    return watched_feeds(make(), *comparison);
  };
  job.options.compare_script = comparison;
  job.options.must_compare = true;
}

}  // namespace polygraphy::cli
