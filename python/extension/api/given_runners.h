// The runners of a job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/job.h"
#include "api/keywords.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace native {

// Python's options of runners.
struct RunnerOptions {
  // Backends: a list of (name, path of the library, list of (key, values)).
  RunnerOptions(PyObject* backends, const Keywords& keywords, const Keywords& places);

  struct Backend {
    std::string name, library;
    polygraphy::BackendOptions options;
  };
  std::vector<Backend> backends;
  polygraphy::PluginPaths paths;
  polygraphy::Metadata shapes;
  std::string program;  // the executable for separate processes; empty: not available
  bool isolate = false;
  std::optional<double> timeout;  // seconds, of isolated ones
};

// Made and used in a job. One host for each job: hosts belong to one thread.
class JobRunners {
 public:
  // Throws Error: a back end of this name does not exist.
  JobRunners(const RunnerOptions& options, polygraphy::ModelSource source, Job& job);
  const polygraphy::Runners& runners() const { return runners_; }

 private:
  std::optional<polygraphy::ModelFolder> folder_;  // of a model in memory for other processes
  polygraphy::PluginHost host_;
  polygraphy::Runners runners_;
};

}  // namespace native
