#include "polygraphy/runtimes/worker/worker_runner.h"

#include <exception>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/kept_workers.h"
#include "polygraphy/runtimes/worker/worker_client.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy {
namespace {

class WorkerRunner final : public Runner {
 public:
  WorkerRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
               ModelSource model, SessionOptions options, const std::string& library,
               Isolation isolation, Logger& log)
      : Runner(std::move(name), &log),
        log_(log),
        program_(std::move(isolation.program)),
        request_{.runner = this->name(),
                 .backend = backend.name,
                 .model = std::move(model),
                 .options = std::move(options),
                 .library = library,
                 .paths = host.paths()},
        timeout_(isolation.timeout),
        kept_(std::move(isolation.kept)),
        host_(host) {
    worker_ = new_worker();
  }
  ~WorkerRunner() override {
    if (active()) deactivate();
  }

  void begin_activation() noexcept override {
    if (worker_->running()) return;
    worker_->set_cancel(host_.cancel_token());
    try {
      if (auto other = kept_ ? kept_->take(*worker_) : nullptr) worker_ = std::move(other);
      worker_->begin_load();
    } catch (const std::exception& error) {
      failure_ = std::current_exception();
      worker_->end();
    }
  }

  void begin_deactivation() noexcept override {
    if (!is_kept()) worker_->begin_stop();
  }

  std::vector<NodeTime> node_times() override {
    return worker_->running() ? worker_->node_times() : Runner::node_times();
  }

  std::string precision() override { return precision_; }

 private:
  std::unique_ptr<WorkerClient> new_worker() const {
    auto worker = std::make_unique<WorkerClient>(program_, request_, log_);
    worker->set_timeout(timeout_);
    return worker;
  }

  // A process that failed may be in any state.
  bool is_kept() const { return kept_ && worker_->running() && !failed_; }

  void activate_impl() override {
    failed_ = false;
    begin_activation();
    if (!worker_->running()) std::rethrow_exception(std::exchange(failure_, nullptr));
    try {
      inputs_ = worker_->finish_load();
      precision_ = worker_->precision();
      host_.note_version(request_.backend, request_.library, worker_->version());
    } catch (...) {
      worker_->end();
      throw;
    }
  }

  void deactivate_impl() noexcept override {
    if (!is_kept()) return worker_->stop();
    try {
      worker_->unload();
      kept_->keep(std::exchange(worker_, new_worker()));
    } catch (const Interrupted&) {
      worker_->end();
    } catch (const std::exception& error) {
      // All results have arrived, so this is not a failure, but worth a warning.
      log_.warning(log_modules::kWorkerRunner, error.what());
      worker_->end();
    }
  }

  Metadata input_metadata_impl() override { return inputs_; }

  Inference infer_impl(const ValueMap& feeds) override {
    if (!worker_->running()) throw RunnerFailure(name() + " | its process has ended");
    failed_ = true;
    Inference inference = worker_->infer(feeds);
    failed_ = false;
    return inference;
  }

  Logger& log_;
  const std::string program_;
  const WorkerRequest request_;
  const std::optional<double> timeout_;
  const std::shared_ptr<KeptWorkers> kept_;
  PluginHost& host_;
  std::unique_ptr<WorkerClient> worker_;
  std::exception_ptr failure_;  // of begin_activation()
  bool failed_ = false;         // the last inference
  std::string precision_;
  Metadata inputs_;
};

}  // namespace

std::unique_ptr<Runner> make_worker_runner(std::string name, PluginHost& host,
                                           const pgb_backend_options& backend, ModelSource model,
                                           SessionOptions options, const std::string& library,
                                           Isolation isolation, Logger& log) {
  return std::make_unique<WorkerRunner>(std::move(name), host, backend, std::move(model),
                                        std::move(options), library, std::move(isolation), log);
}

std::string isolated_library_version(PluginHost& host, const pgb_backend_options& backend,
                                     const std::string& library, const Isolation& isolation) {
  Logger silent;
  WorkerClient worker(
      isolation.program,
      {.runner = backend.name, .backend = backend.name, .library = library, .paths = host.paths()},
      silent);
  worker.set_timeout(isolation.timeout);
  worker.set_cancel(host.cancel_token());
  const std::string version = worker.library_version();
  worker.stop();
  return version;
}

}  // namespace polygraphy
