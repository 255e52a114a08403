// Answers of a library that compiles models, to one question after another.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/runtimes/backend/compile.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

class PluginHost;
class WorkerClient;

// Runs compile() in a separate process, which it keeps until the end, if the job has a program for
// it; else in this process. The separate process gets a file of a model in memory.
class EngineWorker {
 public:
  // `job` and `log` outlive it.
  EngineWorker(const EngineJob& job, Logger& log);
  ~EngineWorker();

  // compile(). `path`: the file for the answer; empty: it is returned. `model`: a file instead of
  // the job's. Throws as compile(), and WorkerDied, WorkerTookTooLong, Interrupted.
  std::string ask(Compilation wanted, const std::string& path = {}, const std::string& model = {});

 private:
  const EngineJob& job_;
  Logger& log_;
  std::unique_ptr<PluginHost> host_;
  std::optional<ModelFolder> file_;
  std::unique_ptr<WorkerClient> worker_;  // null: in this process
};

}  // namespace polygraphy
