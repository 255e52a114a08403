#include "api/given_runners.h"

#include <string_view>

#include "api/given_options.h"
#include "base/error.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/runner_factory/model_format.h"
#include "polygraphy/runtimes/runner_spec/runner_spec_json.h"

namespace native {

using polygraphy::Error;
using polygraphy::RunnerSpec;
using polygraphy::RunnerTools;

RunnerSpec runner_spec_of(PyObject* text) {
  const std::string_view given = text_of(text);
  return given.starts_with('{') ? polygraphy::parse_runner_spec_json(given)
                                : polygraphy::parse_runner_spec(given);
}

RunnerOptions::RunnerOptions(PyObject* runners, const Keywords& keywords, const Keywords& places)
    : tools{.paths = plugin_paths(places), .program = keywords.text("program")} {
  const polygraphy::Metadata shapes = metadata_of_dict(keywords.get("input_shapes"));
  const bool isolate = keywords.flag("isolate");
  const auto timeout = keywords.optional_seconds("timeout");
  for_each(runners, [&](PyObject* item) {
    if (PyList_Check(item)) return;
    RunnerSpec& spec = specs.emplace_back(runner_spec_of(item));
    spec.isolated |= isolate;
    if (!spec.timeout) spec.timeout = timeout;
    for (const auto& [name, info] : shapes) {
      if (!spec.session.inputs.find(name)) spec.session.inputs.set(name, info);
    }
  });
}

std::string RunnerOptions::format_of(const std::string& path) const {
  const polygraphy::BackendCatalog catalog(tools.paths.plugin_dirs);
  std::vector<const pgb_backend_options*> backends;
  for (const RunnerSpec& spec : specs) {
    for (const pgb_backend_options* table : catalog.tables()) {
      if (spec.backend == table->name) backends.push_back(table);
    }
  }
  std::string_view format = polygraphy::format_by_name(path, backends);
  if (format.empty()) format = polygraphy::usual_format(path);
  return std::string(format.empty() ? polygraphy::kOnnxFormat : format);
}

std::shared_ptr<polygraphy::UserPython> user_python(const polygraphy::PluginPaths& paths,
                                                    Job& job) {
  polygraphy::PythonOptions options;
  options.program = paths.python;
  options.cancel = job.cancel();
  return std::make_shared<polygraphy::UserPython>(std::move(options), job.log());
}

namespace {

RunnerTools tools_of_job(RunnerTools tools, Job& job) {
  tools.cancel = job.cancel();
  tools.python = user_python(tools.paths, job);
  return tools;
}

}  // namespace

JobRunnerFactory::JobRunnerFactory(RunnerTools tools, Job& job, polygraphy::Logger& log)
    : RunnerFactory(tools_of_job(std::move(tools), job), log) {}

std::shared_ptr<polygraphy::Runner> JobRunnerFactory::make(const RunnerSpec& spec,
                                                           const polygraphy::ModelSource& model,
                                                           polygraphy::Logger& log) {
  try {
    return RunnerFactory::make(spec, model, log);
  } catch (const Error& error) {
    if (error.code() != polygraphy::kNothingIsolates) throw;
    throw Error(
        "Runners in separate processes need the program polygraphy-native, which is missing.",
        "Install polygraphy-native again, or leave out isolate and timeout.");
  }
}

}  // namespace native
