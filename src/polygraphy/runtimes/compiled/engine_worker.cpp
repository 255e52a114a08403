#include "polygraphy/runtimes/compiled/engine_worker.h"

#include <utility>

#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

EngineWorker::EngineWorker(const EngineJob& job, Logger& log)
    : job_(job), log_(log), host_(std::make_unique<PluginHost>(job.tools.paths, log)) {
  host_->cancel_on(job.tools.cancel);
  if (job.tools.program.empty()) return;
  ModelSource model = job.model;
  if (model.model) {
    model.path = file_.emplace(*model.model).model_path();
    model.model = nullptr;
  }
  worker_ = std::make_unique<WorkerClient>(job.tools.program,
                                           WorkerRequest{.backend = job.runner.backend,
                                                         .model = std::move(model),
                                                         .options = job.runner.session,
                                                         .library = job.runner.library,
                                                         .paths = job.tools.paths},
                                           log);
  worker_->set_cancel(job.tools.cancel);
  worker_->set_timeout(job.runner.timeout);
}

EngineWorker::~EngineWorker() {
  if (worker_) worker_->stop();
}

std::string EngineWorker::ask(Compilation wanted, const std::string& path,
                              const std::string& model) {
  if (worker_) return worker_->compile(wanted, path, model);
  ModelSource source = job_.model;
  if (!model.empty()) {
    source.path = model;
    source.model = nullptr;
  }
  const pgb_backend_options& backend = *host_->catalog().get(job_.runner.backend).options;
  return compile(wanted, *host_, backend, source, job_.runner.session, job_.runner.library, log_,
                 path);
}

}  // namespace polygraphy
