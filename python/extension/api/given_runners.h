// The runners of a job.
#pragma once

#include <vector>

#include "api/job.h"
#include "api/keywords.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace native {

// Python's options of runners.
struct RunnerOptions {
  // Backends: a list of (name, path of the library, list of (key, values)).
  RunnerOptions(PyObject* backends, const Keywords& keywords, const Keywords& places);

  std::vector<polygraphy::RunnerSpec> specs;
  polygraphy::RunnerTools tools;
};

// Made and used in a job. One factory for each job: it belongs to one thread.
class JobRunners {
 public:
  // Throws Error: as RunnerFactory::make().
  JobRunners(const RunnerOptions& options, const polygraphy::ModelSource& source, Job& job);
  const polygraphy::Runners& runners() const { return runners_; }

 private:
  polygraphy::RunnerFactory factory_;
  polygraphy::Runners runners_;
};

}  // namespace native
