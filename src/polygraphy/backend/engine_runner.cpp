// make_runner(): a Runner over a plugin's engine.
#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "base/error.h"
#include "polygraphy/backend/engine_limits.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/model_runner.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/loaders/prepare_model.h"

namespace polygraphy {
namespace {

using LoadModel = std::function<graphsurgeon::Model()>;

class EngineRunner final : public Runner {
 public:
  EngineRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
               ModelSource model, LoadModel load, SessionOptions options, std::string library,
               Logger& log)
      : Runner(std::move(name), &log),
        host_(host),
        backend_(backend),
        model_(std::move(model)),
        load_(std::move(load)),
        options_(std::move(options)),
        library_(std::move(library)),
        log_(log) {}
  ~EngineRunner() override {
    if (active()) deactivate();
  }

  std::vector<NodeTime> node_times() override {
    return session_ ? session_->profile() : Runner::node_times();
  }

 private:
  void activate_impl() override {
    const std::shared_ptr<BackendInstance> instance = host_.open(backend_.name, library_);
    const EngineLimits limits = limits_of(instance, options_);
    const PreparedModel prepared =
        load_ ? prepare_loaded_model(load_(), limits, log_) : prepare_model(model_, limits, log_);
    try {
      session_ = instance->load(prepared.blob(), options_);
    } catch (const Interrupted&) {
      throw;
    } catch (const OptionError&) {
      throw;
    } catch (const Error& error) {
      // Where the file itself is at fault, our reader says so with its place and what it may be
      // instead.
      if (!load_) check_model_file(model_);
      throw RunnerFailure(
          fmt::format("{} cannot load {}: {}", backend_.name, model_.path, error.what()),
          error.hint());
    }
  }

  void deactivate_impl() noexcept override { session_.reset(); }

  Metadata input_metadata_impl() override { return metadata_of(session_->inputs()); }

  Inference infer_impl(const TensorMap& feeds) override {
    try {
      return session_->infer(feeds);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      throw RunnerFailure(fmt::format("{} | {} failed to run {}: {}", name(), backend_.name,
                                      model_.path, error.what()),
                          error.hint());
    }
  }

  PluginHost& host_;
  const pgb_backend_options& backend_;
  ModelSource model_;
  LoadModel load_;  // empty: the file of model_
  SessionOptions options_;
  std::string library_;
  Logger& log_;
  std::unique_ptr<BackendSession> session_;
};

// Date and time as the locale writes them: part of the original's names.
std::string date_and_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[128];
  const size_t length = std::strftime(text, sizeof(text), "%x-%X", &local);
  return {text, length};
}

}  // namespace

std::string next_runner_name(PluginHost& host, const std::string& prefix) {
  return fmt::format("{}-N{}-{}", prefix, host.next_runner_index(prefix), date_and_time());
}

std::unique_ptr<Runner> make_named_runner(std::string name, PluginHost& host,
                                          const pgb_backend_options& backend, ModelSource model,
                                          SessionOptions options, const std::string& library,
                                          Logger& log) {
  return std::make_unique<EngineRunner>(std::move(name), host, backend, std::move(model),
                                        LoadModel(), std::move(options), library, log);
}

std::unique_ptr<Runner> make_runner(PluginHost& host, const pgb_backend_options& backend,
                                    ModelSource model, SessionOptions options,
                                    const std::string& library, Logger& log) {
  return make_named_runner(next_runner_name(host, backend.runner_prefix), host, backend,
                           std::move(model), std::move(options), library, log);
}

std::unique_ptr<Runner> make_model_runner(PluginHost& host, const pgb_backend_options& backend,
                                          std::function<graphsurgeon::Model()> load,
                                          SessionOptions options, const std::string& library,
                                          Logger& log) {
  ModelSource name_only;
  name_only.path = "the model in memory";
  return std::make_unique<EngineRunner>(next_runner_name(host, backend.runner_prefix), host,
                                        backend, std::move(name_only), std::move(load),
                                        std::move(options), library, log);
}

}  // namespace polygraphy
