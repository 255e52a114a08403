#include "polygraphy/runtimes/compiled/engine_worker.h"

#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

EngineWorker::EngineWorker(const EngineJob& job, Logger& log)
    : job_(job), log_(log), host_(std::make_unique<PluginHost>(job.paths, log)) {
  host_->cancel_on(job.cancel);
  if (job.program.empty()) return;
  worker_ = std::make_unique<WorkerClient>(job.program,
                                           WorkerRequest{.backend = job.backend,
                                                         .model = job.model,
                                                         .options = job.options,
                                                         .library = job.library,
                                                         .paths = job.paths},
                                           log);
  worker_->set_cancel(job.cancel);
  worker_->set_timeout(job.timeout);
}

EngineWorker::~EngineWorker() {
  if (worker_) worker_->stop();
}

std::string EngineWorker::ask(Compilation wanted, const std::string& path,
                              const std::string& model) {
  if (worker_) return worker_->compile(wanted, path, model);
  ModelSource source = job_.model;
  if (!model.empty()) source.path = model;
  const pgb_backend_options& backend = *host_->catalog().get(job_.backend).options;
  return compile(wanted, *host_, backend, source, job_.options, job_.library, log_, path);
}

}  // namespace polygraphy
