#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/given_options.h"
#include "api/given_runners.h"
#include "api/job.h"
#include "api/keywords.h"
#include "api/reporting.h"
#include "base/log_modules.h"
#include "calls/api_functions.h"
#include "polygraphy/diagnosis/zoo/zoo.h"
#include "polygraphy/diagnosis/zoo/zoo_json.h"
#include "polygraphy/diagnosis/zoo/zoo_models.h"
#include "polygraphy/diagnosis/zoo/zoo_text.h"
#include "polygraphy/diagnosis/zoo/zoo_times.h"

namespace native {
namespace {

using polygraphy::Error;
using polygraphy::ZooJob;

struct Found {
  bool passed;
  std::string text, results, times;
};

PyRef tuple_of(const Found& found) {
  const auto text = [](std::string_view each) { return to_python(each).release(); };
  return PyRef::take(Py_BuildValue("(ONNN)", found.passed ? Py_True : Py_False, text(found.text),
                                   text(found.results), text(found.times)));
}

ZooJob zoo_job(const RunnerOptions& runners, const Keywords& keywords) {
  ZooJob job{.engines = runners.specs};
  if (job.engines.empty()) throw Error("No engine is given.", "Give one or more: [\"onnxrt\"].");
  job.inputs.seed = static_cast<uint64_t>(keywords.integer("seed"));
  job.inputs.shapes = metadata_of_dict(keywords.get("shapes"));
  job.inputs.val_range = ranges_of_dict(keywords.get("val_range"));
  job.valid = keywords.flag("valid_inputs");
  job.noise_runs = keywords.integer("noise_runs");
  job.threshold = to_double(keywords.get("threshold"));
  job.timeout = keywords.optional_seconds("timeout");
  job.locate = keywords.flag("locate");
  job.reduce_seconds = keywords.optional_seconds("reduce_timeout").value_or(0);
  return job;
}

}  // namespace

PyObject* run_zoo(PyObject*, PyObject* args) {
  return reported([&] {
    PyObject *places_of_models = nullptr, *given = nullptr, *options = nullptr, *paths = nullptr;
    if (PyArg_ParseTuple(args, "OOOO", &places_of_models, &given, &options, &paths) == 0)
      throw PythonError();
    const Keywords keywords(options), places(paths);
    const RunnerOptions runners(given, keywords, places);
    const std::vector<std::string> models = polygraphy::zoo_models(strings_of(places_of_models));
    ZooJob wanted = zoo_job(runners, keywords);
    polygraphy::require_inputs_of_models(wanted.inputs, models);
    return tuple_of(in_job([&](Job& job) {
      polygraphy::Logger quiet;  // of the many runs
      polygraphy::show_as_verbose(quiet, job.log(), polygraphy::log_modules::kZoo);
      JobRunnerFactory factory(runners.tools, job, quiet);
      polygraphy::ZooResult result;
      for (const auto& spec : wanted.engines) result.engines.push_back(spec.label());
      wanted.cancel = job.cancel();
      polygraphy::Zoo zoo(std::move(wanted), factory, quiet);
      for (const std::string& model : models) result.models.push_back(zoo.examine(model, model));
      result.versions = zoo.versions();
      return Found{result.verdict().passed(), to_text(result), to_json(result), times_json(result)};
    }));
  });
}

}  // namespace native
