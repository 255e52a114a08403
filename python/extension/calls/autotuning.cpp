#include <optional>
#include <string>

#include "api/given_config.h"
#include "api/given_engine.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "base/os/scratch_folder.h"
#include "calls/api_functions.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/diagnosis/autotune/autotune.h"

namespace native {
namespace {

using polygraphy::AutotuneJob;
using polygraphy::AutotuneMode;

// Without inputs and Python.
AutotuneJob autotune_job(const GivenRun& given, const GivenConfig& config) {
  const Keywords& keywords = given.keywords;
  AutotuneJob job;
  job.replace.model = given.source();
  job.replace.plugin_folder = keywords.text("folder");
  job.replace.packages = keywords.text("packages");
  job.config = config.config;
  job.config_name = config.name;
  job.model_name = given.source().path;
  job.measure.runner = given.runners.specs.at(0);
  job.measure.runs = keywords.integer("runs");
  if (keywords.text("mode") == "exhaustive") job.mode = AutotuneMode::kExhaustive;
  job.limits = {.most = keywords.integer("max_combinations"),
                .threshold = to_double(keywords.get("threshold"))};
  job.output.path = keywords.text("output");
  job.report = job.typed_report = keywords.text("save_report");
  return job;
}

}  // namespace

PyObject* autotune_plugins(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args, GivenRun::RunnersInOptions());
    const GivenConfig config(given.subject);
    AutotuneJob tuned = autotune_job(given, config);
    const auto cache = given.keywords.optional_text("timing_cache");
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      std::optional<polygraphy::ScratchFolder> folder;  // of the cache
      if (tuned.measure.runner.backend == "tensorrt") {
        if (!cache) folder.emplace(polygraphy::temporary_folder() + "/.polygraphy-timing-");
        tuned.measure.timing_cache = cache ? *cache : *folder / "timing.cache";
        tuned.measure.runner.session.calibration = calibration(given, job);
      }
      tuned.python = [&] { return factory.tools().python; };
      tuned.measure.inputs = polygraphy::first_feed_case(given.feeds(job));
      tuned.measure.cancel = job.cancel();
      const polygraphy::AutotuneReport report =
          polygraphy::autotune(tuned, factory, job.log()).report;
      return JobReport{!report.kept.empty(), polygraphy::report_text(report),
                       polygraphy::record_json(report)};
    }));
  });
}

}  // namespace native
