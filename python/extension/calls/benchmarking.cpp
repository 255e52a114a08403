#include <optional>
#include <string>
#include <utility>

#include "api/given_arguments.h"
#include "api/given_names.h"
#include "api/job.h"
#include "api/job_report.h"
#include "api/reporting.h"
#include "calls/api_functions.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/benchmark/benchmark_job.h"

namespace native {
namespace {

using polygraphy::BenchmarkJob;
using polygraphy::Error;

int64_t at_least_one(const std::string& what, int64_t number) {
  if (number >= 1) return number;
  throw Error(what + " must be at least 1, but was: " + std::to_string(number));
}

// With generated inputs.
BenchmarkJob benchmark_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  BenchmarkJob job;
  job.model = given.source();
  job.inputs = given.inputs.generated(given.source());
  job.runners = given.runners.specs;
  job.options.warm_up = keywords.count("warm_up");
  job.options.runs = at_least_one("runs", keywords.integer("runs"));
  for_each(keywords.get("shapes"),
           [&](PyObject* set) { job.shapes.push_back(metadata_of_dict(set)); });
  if (const auto names = job.shapes.empty() ? std::nullopt : ModelNames::of(job.model)) {
    for (const polygraphy::Metadata& set : job.shapes) {
      for (const auto& [name, info] : set) names->check_inputs_named_by(name);
    }
  }
  for_each(keywords.get("batches"), [&](PyObject* size) {
    job.batches.push_back(at_least_one("A batch size", to_int64(size)));
  });
  job.nodes = keywords.integer("nodes");
  job.save = keywords.text("save");
  job.save_plot = keywords.text("save_plot");
  return job;
}

}  // namespace

PyObject* benchmark_model(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    BenchmarkJob measured = benchmark_job(given);
    if (given.inputs.are_given() && !(measured.shapes.empty() && measured.batches.empty())) {
      throw Error("Shapes and batches are of generated inputs, but inputs are given.",
                  "Leave out inputs, or shapes and batches.");
    }
    return to_python(in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      job.keep_text("benchmark/");
      measured.options.cancel = job.cancel();
      if (given.inputs.are_given()) measured.make_feeds = [&] { return given.feeds(job); };
      const polygraphy::BenchmarkReport report =
          polygraphy::benchmark(measured, factory, job.log());
      return JobReport{!report.failed(), job.take_text(), polygraphy::record_json(report)};
    }));
  });
}

}  // namespace native
