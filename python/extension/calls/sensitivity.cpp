#include <memory>
#include <string>
#include <utility>

#include "api/agreement.h"
#include "api/given_arguments.h"
#include "api/given_comparison.h"
#include "api/given_prompts.h"
#include "api/job.h"
#include "api/reporting.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "calls/api_functions.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace native {
namespace {

using polygraphy::Error;
using polygraphy::ErrorLimit;
using polygraphy::SensitivityJob;
using polygraphy::SensitivityResult;
using polygraphy::TaskMetricJob;

// How a call judges outputs many times.
class GivenOutputCheck {
 public:
  // Of the options `metrics` and `metric_options`, as compare_options() reads them; or of
  // `task_metric`, a name, with `labels` (a path, or empty), `metric_output` and `metric_drop`; or
  // of `agrees`, a function for agreement(). Throws Error.
  explicit GivenOutputCheck(const GivenArguments& given);

  bool given() const { return agrees_ || check_.task_metric || !check_.metrics.empty(); }
  // For the job. `python` runs scripts.
  polygraphy::OutputCheck make(Job& job,
                               const std::shared_ptr<polygraphy::UserPython>& python) const;

 private:
  polygraphy::OutputCheck check_;
  PyRef agrees_;  // null: none
};

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

struct Found {
  bool passed = false;
  std::string text, json, exclusions;
};

PyRef tuple_of(const Found& found) {
  const auto text = [](std::string_view each) { return to_python(each).release(); };
  return PyRef::take(Py_BuildValue("(ONNN)", found.passed ? Py_True : Py_False, text(found.text),
                                   text(found.json), text(found.exclusions)));
}

// Without feeds, and a check of outputs.
SensitivityJob sensitivity_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  SensitivityJob job{.model = given.source(),
                     .engine = given.runners.specs.front(),
                     .format = polygraphy::parse_weight_format(keywords.text("format"))};
  job.check = ErrorLimit{keywords.optional_number("limit").value_or(ErrorLimit().limit)};
  job.most_sets = keywords.optional_integer("most_sets");
  job.embeddings = keywords.flag("embeddings");
  job.output.path = keywords.text("output");
  job.memory_limit = static_cast<uint64_t>(keywords.count("mem_limit"));
  return job;
}

std::string text_of_result(const SensitivityResult& result) {
  return polygraphy::sensitivity_table(result) + "\n" + polygraphy::sensitivity_summary(result);
}

}  // namespace

PyObject* find_sensitivity(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const auto float_model = given.further_model("float_model");
    const GivenOutputCheck check(given);
    const GivenPrompts prompts(given.keywords);
    const std::string exclusions_file = given.keywords.text("save_exclusions");
    const SensitivityJob options = sensitivity_job(given);
    const Found found = in_job([&](Job& job) {
      polygraphy::Logger quiet;  // of the many runs
      polygraphy::show_as_verbose(quiet, job.log(), polygraphy::log_modules::kSensitivity);
      JobRunnerFactory factory(given.runners.tools, job, quiet);
      const auto& python = factory.tools().python;
      SensitivityJob search = options;
      if (float_model) search.quantized = std::exchange(search.model, float_model->source());
      search.make_feeds = [&] { return given.feeds(job); };
      if (prompts.given()) {
        search.decoding = polygraphy::decoding_of(given.source(), prompts.steps(0), factory, quiet);
        search.make_feeds = prompts.opened(given, *search.decoding, job, *python);
      }
      if (check.given()) search.check = check.make(job, python);
      search.cancel = job.cancel();
      const SensitivityResult result = polygraphy::find_sensitivity(search, factory, quiet);
      Found made{.passed = result.verdict().passed(),
                 .text = text_of_result(result),
                 .json = polygraphy::sensitivity_json(result),
                 .exclusions = polygraphy::exclusion_lists(result)};
      if (!exclusions_file.empty()) polygraphy::write_file(exclusions_file, made.exclusions);
      return made;
    });
    return tuple_of(found);
  });
}

}  // namespace native
