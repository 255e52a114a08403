#include "api/given_runners.h"

#include <memory>

#include "api/given_options.h"
#include "base/error.h"
#include "polygraphy/data/user_python/user_python.h"

namespace native {

using polygraphy::Error;
using polygraphy::RunnerSpec;
using polygraphy::RunnerTools;

RunnerOptions::RunnerOptions(PyObject* given, const Keywords& keywords, const Keywords& places)
    : tools{.paths = plugin_paths(places), .program = keywords.text("program")} {
  const polygraphy::Metadata shapes = metadata_of_dict(keywords.get("input_shapes"));
  for_each(given, [&](PyObject* item) {
    PyObject* pairs = nullptr;
    const char *name = nullptr, *library = nullptr;
    if (PyArg_ParseTuple(item, "ssO", &name, &library, &pairs) == 0) throw PythonError();
    RunnerSpec& spec = specs.emplace_back(RunnerSpec{.backend = name, .library = library});
    spec.isolated = keywords.flag("isolate");
    spec.timeout = keywords.optional_number("timeout");
    spec.session.inputs = shapes;
    for_each(pairs, [&](PyObject* pair) {
      const char* key = nullptr;
      PyObject* values = nullptr;
      if (PyArg_ParseTuple(pair, "sO", &key, &values) == 0) throw PythonError();
      spec.session.options.emplace_back(key, strings_of(values));
    });
  });
}

namespace {

// Scripts, and conversions of models of TensorFlow, run in the interpreter that the paths name.
RunnerTools tools_of_job(RunnerTools tools, Job& job) {
  tools.cancel = job.cancel();
  polygraphy::PythonOptions python;
  python.program = tools.paths.python;
  python.cancel = tools.cancel;
  tools.python = std::make_shared<polygraphy::UserPython>(std::move(python), job.log());
  return tools;
}

}  // namespace

JobRunners::JobRunners(const RunnerOptions& options, const polygraphy::ModelSource& source,
                       Job& job)
    : factory_(tools_of_job(options.tools, job), job.log()) {
  try {
    runners_ = factory_.make_all(options.specs, source, job.log());
  } catch (const Error& error) {
    if (error.code() != polygraphy::kNothingIsolates) throw;
    throw Error(
        "Runners in separate processes need the program polygraphy-native, which is missing.",
        "Install polygraphy-native again, or leave out isolate and timeout.");
  }
}

}  // namespace native
