#include "cli/args/task_metric.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/script_args.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"

namespace polygraphy::cli {
namespace {

std::string metric_help() {
  std::string text =
      "Compare by how much worse the second runner does the model's task than the first, or than "
      "saved outputs, instead of output by output.";
  for (const TaskMetric* metric : listed_task_metrics()) {
    text += fmt::format(" {}: {}.", metric->spelling, metric->summary);
  }
  return text +
         " FILE.py[:FUNCTION]: the mean of the scores between 0 and 1 that a Python function "
         "(default: score) returns for a dict of outputs and a label.";
}

constexpr Option kOptions[] = {
    {.spellings = "--metric",
     .metavar = "NAME[:ARGUMENT]",
     .origin = Origin::kOurs,
     .made_help = metric_help},
    {.spellings = "--labels",
     .help = "File of the right result of each sample, in the order of the inputs: a number, text "
             "or row "
             "for each row of the batch (.npy, .npz, .json, or lines of text).",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--metric"},
    {.spellings = "--metric-output",
     .help = "Judge this output. Default: the only one that suits the metric.",
     .metavar = "NAME",
     .origin = Origin::kOurs,
     .needs = "--metric"},
    {.spellings = "--metric-drop",
     .help = "Largest loss that passes, as in 0.5% or 0.005; of perplexity, a part of the "
             "reference's. Default: 0.5%.",
     .metavar = "LIMIT",
     .origin = Origin::kOurs,
     .needs = "--metric"},
    {.spellings = "--metric-confidence",
     .help = "Stop the run as soon as the verdict is this certain; 100%: run all samples. Default: "
             "95%.",
     .metavar = "SHARE",
     .origin = Origin::kOurs,
     .needs = "--metric"},
    {.spellings = "--metric-order",
     .help = "Order of saved inputs. random (the default): where their number is known beforehand "
             "and nothing else depends on the order. given: as they lie, for inputs that are in "
             "random order already.",
     .choices = "random given",
     .origin = Origin::kOurs,
     .needs = "--metric"},
};

// Of an option that commands may lack: those that run all samples have no confidence.
std::optional<std::string> given(const ParsedArgs& args, std::string_view option) {
  return args.syntax().find(option) ? args.text(option) : std::nullopt;
}

// "0.5%" or "0.005".
std::optional<double> share(const ParsedArgs& args, std::string_view option, double least,
                            double most) {
  const auto text = given(args, option);
  if (!text) return std::nullopt;
  const bool percent = text->ends_with('%');
  auto number = parse_float(std::string_view(*text).substr(0, text->size() - (percent ? 1 : 0)));
  if (number && percent) *number /= 100;
  if (number && *number >= least && *number <= most) return number;
  throw Error(fmt::format("{} {}: expected a share from {:g}% to {:g}%, as in 0.5% or 0.005",
                          option, *text, 100 * least, 100 * most));
}

}  // namespace

extern constinit const ArgGroup args_task_metric = {
    .title = "Task Metrics",
    .summary = "Loss of a model's accuracy in its task, in place of differences of outputs.",
    .options = kOptions};

TaskMetricJob resolve_task_metric(const ParsedArgs& args, const Environment& env,
                                  const std::shared_ptr<UserPython>& python) {
  TaskMetricJob job{.python = python};
  job.metric = args.text("--metric").value_or(job.metric);
  const size_t script = job.metric.rfind(".py");
  if (script != std::string::npos && job.metric.rfind(':') >= script)
    job.metric = env.path(job.metric.substr(0, script + 3)) + job.metric.substr(script + 3);
  job.output = args.text("--metric-output").value_or("");
  if (const auto labels = args.text("--labels"))
    job.labels = load_labels_for(job.metric, env.path(*labels));
  job.drop = share(args, "--metric-drop", 0, 1).value_or(job.drop);
  job.confidence = share(args, "--metric-confidence", 0.5, 1).value_or(job.confidence);
  if (const auto samples = given(args, "--samples")) {
    job.first = parse_index_range("--samples", *samples).first;
    job.part = true;
  }
  job.even = !args.has("--load-inputs") && !args.has("--input-file");
  return job;
}

}  // namespace polygraphy::cli
