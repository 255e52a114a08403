// The runners of a job.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/job.h"
#include "api/keywords.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace native {

// Of the text of a spec, or of its JSON object.
polygraphy::RunnerSpec runner_spec_of(PyObject* text);

// Python's options of runners.
struct RunnerOptions {
  // `runners`: a list for runner_spec_of(); lists in it, which are results, are left out.
  // `keywords` has what applies to all of them: `isolate`, `timeout` and `input_shapes`, unless a
  // spec has its own, and `program`.
  RunnerOptions(PyObject* runners, const Keywords& keywords, const Keywords& places);

  // The format of a model by its path: one that a runner knows, else the usual one, else ONNX.
  std::string format_of(const std::string& path) const;

  std::vector<polygraphy::RunnerSpec> specs;
  polygraphy::RunnerTools tools;
};

// The interpreter of the paths, for scripts, and for models of TensorFlow.
std::shared_ptr<polygraphy::UserPython> user_python(const polygraphy::PluginPaths& paths, Job& job);

// Made and used in a job.
class JobRunnerFactory : public polygraphy::RunnerFactory {
 public:
  // `log`: for the messages of libraries.
  JobRunnerFactory(polygraphy::RunnerTools tools, Job& job, polygraphy::Logger& log);
  JobRunnerFactory(polygraphy::RunnerTools tools, Job& job)
      : JobRunnerFactory(std::move(tools), job, job.log()) {}
  // Explains kNothingIsolates to users of the package.
  std::shared_ptr<polygraphy::Runner> make(const polygraphy::RunnerSpec& spec,
                                           const polygraphy::ModelSource& model,
                                           polygraphy::Logger& log) override;
};

}  // namespace native
