#include "api/given_output_check.h"

#include <string>
#include <utility>

#include "api/agreement.h"
#include "api/given_comparison.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"

namespace native {
namespace {

using polygraphy::Error;
using polygraphy::TaskMetricJob;

// Samples that a user gives may have other numbers of rows.
TaskMetricJob task_metric(const std::string& name, const GivenArguments& given) {
  const Keywords& keywords = given.keywords;
  TaskMetricJob job{.metric = name, .output = keywords.text("metric_output")};
  if (const std::string labels = keywords.text("labels"); !labels.empty())
    job.labels = polygraphy::load_labels_for(name, labels);
  job.drop = keywords.optional_number("metric_drop").value_or(job.drop);
  if (!(job.drop >= 0 && job.drop <= 1)) {
    throw Error(
        "metric_drop must be between 0 and 1, but was: " + polygraphy::py_float_repr(job.drop),
        "0.005 is half a percent.");
  }
  job.even = !given.inputs.are_given();
  return job;
}

}  // namespace

GivenOutputCheck::GivenOutputCheck(const GivenArguments& given) {
  const Keywords& keywords = given.keywords;
  if (const auto name = keywords.optional_text("task_metric")) {
    check_.task_metric = task_metric(*name, given);
  } else if (!keywords.is_none("agrees")) {
    agrees_ = PyRef::share(keywords.get("agrees"));
  } else {
    GivenMetrics metrics = given_metrics(keywords);
    check_.metrics = std::move(metrics.metrics);
    check_.metric_options = std::move(metrics.options);
  }
}

polygraphy::OutputCheck GivenOutputCheck::make(
    Job& job, const std::shared_ptr<polygraphy::UserPython>& python) const {
  polygraphy::OutputCheck check = check_;
  if (agrees_) check.function = agreement(job, agrees_.get());
  if (check.task_metric) check.task_metric->python = python;
  check.metric_options.images = polygraphy::lpips_in(python);
  return check;
}

}  // namespace native
