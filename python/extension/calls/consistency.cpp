#include <limits>
#include <string>

#include "api/given_arguments.h"
#include "api/given_names.h"
#include "api/job.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "base/log_modules.h"
#include "calls/api_functions.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/diagnosis/consistency/consistency_json.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"

namespace native {
namespace {

using polygraphy::ConsistencyJob;
using polygraphy::OutputTolerance;
using polygraphy::PerOutput;

// A dict of numbers by output, "" being all others.
PerOutput<double> numbers_of(PyObject* dict) {
  PerOutput<double> numbers;
  for_each_item(dict, [&](const std::string& output, PyObject* number) {
    numbers.set(output, to_double(number));
  });
  return numbers;
}

// Throws Error for a tolerance of an unknown output, and for a batch of an unknown input.
void check_names(const GivenRun& given) {
  const auto names = ModelNames::of(given.source());
  if (!names) return;
  for (const char* tolerances : {"atol", "rtol"}) {
    for_each_item(given.keywords.get(tolerances), [&](const std::string& output, PyObject*) {
      if (!output.empty()) names->check_output(output);
    });
  }
  for (const std::string& input : given.keywords.texts("batch_inputs")) names->check_input(input);
}

// Without a model and feeds.
ConsistencyJob consistency_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  ConsistencyJob job{.engines = given.runners.specs};
  job.samples = keywords.optional_integer("samples").value_or(std::numeric_limits<int64_t>::max());
  job.batch_size = keywords.integer("batch_size");
  job.batch_inputs = keywords.texts("batch_inputs");
  job.decoder_names = keywords.text("decoder_names");
  job.only = keywords.texts("only");
  job.skip = keywords.texts("skip");
  const auto atol = numbers_of(keywords.get("atol")), rtol = numbers_of(keywords.get("rtol"));
  if (atol.empty() && rtol.empty()) return job;
  job.tolerance = [atol, rtol](const std::string& output) {
    const OutputTolerance usual;
    return OutputTolerance{.absolute = polygraphy::value_for(atol, output, usual.absolute),
                           .relative = polygraphy::value_for(rtol, output, usual.relative)};
  };
  return job;
}

}  // namespace

PyObject* check_consistency(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    check_names(given);
    ConsistencyJob checked = consistency_job(given);
    return to_python(in_job([&](Job& job) {
      polygraphy::Logger quiet;  // of the many runs
      polygraphy::show_as_verbose(quiet, job.log(), polygraphy::log_modules::kCheckConsistency);
      JobRunnerFactory factory(given.runners.tools, job, quiet);
      checked.model = factory.onnx(given.source());
      checked.make_feeds = [&] { return given.feeds(job); };
      checked.cancel = job.cancel();
      const polygraphy::ConsistencyResult result =
          polygraphy::check_consistency(checked, factory, quiet);
      return JobReport{result.verdict().passed(), polygraphy::consistency_summary(result),
                       polygraphy::consistency_json(result)};
    }));
  });
}

}  // namespace native
