#include "polygraphy/runtimes/worker/worker_runner.h"

#include <exception>
#include <utility>

#include "base/error.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {
namespace {

class WorkerRunner final : public Runner {
 public:
  WorkerRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
               ModelSource model, SessionOptions options, const std::string& library,
               Isolation isolation, Logger& log)
      : Runner(std::move(name), &log),
        worker_(std::move(isolation.program),
                {.runner = this->name(),
                 .backend = backend.name,
                 .model = std::move(model),
                 .options = std::move(options),
                 .library = library,
                 .paths = host.paths()},
                log),
        host_(host),
        backend_(backend.name),
        library_(library) {
    worker_.set_timeout(isolation.timeout);
  }
  ~WorkerRunner() override {
    if (active()) deactivate();
  }

  void begin_activation() noexcept override {
    if (worker_.running()) return;
    worker_.set_cancel(host_.cancel_token());
    try {
      worker_.begin_load();
    } catch (const std::exception& error) {
      failure_ = std::current_exception();
      worker_.end();
    }
  }

  void begin_deactivation() noexcept override { worker_.begin_stop(); }

  std::vector<NodeTime> node_times() override {
    return worker_.running() ? worker_.node_times() : Runner::node_times();
  }

  std::string precision() override { return worker_.precision(); }

 private:
  void activate_impl() override {
    begin_activation();
    if (!worker_.running()) std::rethrow_exception(std::exchange(failure_, nullptr));
    try {
      inputs_ = worker_.finish_load();
      host_.note_version(backend_, library_, worker_.version());
    } catch (...) {
      worker_.end();
      throw;
    }
  }

  void deactivate_impl() noexcept override { worker_.stop(); }

  Metadata input_metadata_impl() override { return inputs_; }

  Inference infer_impl(const ValueMap& feeds) override {
    if (!worker_.running()) throw RunnerFailure(name() + " | its process has ended");
    return worker_.infer(feeds);
  }

  WorkerClient worker_;
  PluginHost& host_;
  const std::string backend_, library_;
  std::exception_ptr failure_;  // of begin_activation()
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
