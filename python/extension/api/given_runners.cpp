#include "api/given_runners.h"

#include <utility>

#include "api/given_options.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/library_clashes.h"
#include "polygraphy/runtimes/backend/session_runner.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace native {

using polygraphy::Error;
using polygraphy::ModelSource;

RunnerOptions::RunnerOptions(PyObject* given, const Keywords& keywords, const Keywords& places)
    : paths(plugin_paths(places)),
      shapes(metadata_of_dict(keywords.get("input_shapes"))),
      program(keywords.text("program")),
      isolate(keywords.flag("isolate")),
      timeout(keywords.optional_number("timeout")) {
  for_each(given, [&](PyObject* item) {
    PyObject* pairs = nullptr;
    const char *name = nullptr, *library = nullptr;
    if (PyArg_ParseTuple(item, "ssO", &name, &library, &pairs) == 0) throw PythonError();
    Backend& backend = backends.emplace_back(Backend{name, library, {}});
    for_each(pairs, [&](PyObject* pair) {
      const char* key = nullptr;
      PyObject* values = nullptr;
      if (PyArg_ParseTuple(pair, "sO", &key, &values) == 0) throw PythonError();
      backend.options.emplace_back(key, strings_of(values));
    });
  });
}

namespace {

// Libraries that crash each other get processes of their own without being asked.
bool clash(const RunnerOptions& options, Job& job) {
  std::vector<std::pair<std::string, std::string>> libraries;
  for (const auto& backend : options.backends)
    libraries.emplace_back(backend.name, backend.library);
  const std::string_view reason = polygraphy::library_clash(libraries);
  if (reason.empty()) return false;
  job.log().info(polygraphy::log_modules::kRun,
                 "Running each runner in a separate process: " + std::string(reason));
  return true;
}

}  // namespace

JobRunners::JobRunners(const RunnerOptions& options, ModelSource source, Job& job)
    : host_(options.paths, job.log()) {
  host_.cancel_on(job.cancel());
  const bool isolate = options.isolate || options.timeout || clash(options, job);
  for (const RunnerOptions::Backend& backend : options.backends) {
    const auto& table = *host_.catalog().get(backend.name).options;
    std::string name = polygraphy::next_runner_name(host_, table.runner_prefix);
    polygraphy::SessionOptions session{.options = backend.options, .inputs = options.shapes};
    if (!isolate && !polygraphy::wants_own_process(table)) {
      runners_.push_back(polygraphy::make_named_runner(
          std::move(name), host_, table, source, std::move(session), backend.library, job.log()));
      continue;
    }
    if (options.program.empty()) {
      throw Error(
          "Runners in separate processes need the program polygraphy-native, which is missing.",
          "Install polygraphy-native again, or leave out isolate and timeout.");
    }
    if (source.model) {
      folder_.emplace(*source.model);
      source.path = folder_->model_path();
      source.model = nullptr;
    }
    runners_.push_back(polygraphy::make_worker_runner(
        std::move(name), host_, table, source, std::move(session), backend.library,
        {.program = options.program, .timeout = options.timeout}, job.log()));
  }
}

}  // namespace native
