// A runner in a child process, so that its crash does not end ours.
//
// Tensors go through shared memory, everything else over a socket; our log contains the messages of
// the process. If a process crashes, hangs or runs out of memory, a RunnerFailure states that in
// one line, with the last words on its standard error.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/backend/session_options.h"

struct pgb_backend_options;

namespace polygraphy {

class KeptWorkers;
class PluginHost;

struct Isolation {
  // An executable that calls run_runner_process() when it is started with kRunnerProcess: ours.
  std::string program;
  // Seconds that an activation or an inference may take; none: any.
  std::optional<double> timeout = {};
  // Where processes come from and go to; null: each has its own.
  std::shared_ptr<KeptWorkers> kept = {};
};

// As make_named_runner(). The process lives while the runner is active, or is kept, and not longer
// than the calling thread. Outputs are views of shared memory.
std::unique_ptr<Runner> make_worker_runner(std::string name, PluginHost& host,
                                           const pgb_backend_options& backend, ModelSource model,
                                           SessionOptions options, const std::string& library,
                                           Isolation isolation, Logger& log);

// The version of a back end's library, which only a process of this call opens. Throws Error.
std::string isolated_library_version(PluginHost& host, const pgb_backend_options& backend,
                                     const std::string& library, const Isolation& isolation);

}  // namespace polygraphy
