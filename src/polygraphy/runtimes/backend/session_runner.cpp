#include "polygraphy/runtimes/backend/session_runner.h"

#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/backend.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/backend_limits.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/unknown_ranks.h"
#include "polygraphy/runtimes/backend/user_errors.h"

namespace polygraphy {
namespace {

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

SessionRunner::Source SessionRunner::made_by(std::function<graphsurgeon::Model()> make) {
  return {.file = {}, .make = std::move(make)};
}

SessionRunner::SessionRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
                             Source source, SessionOptions options, std::string library,
                             Logger& log)
    : Runner(std::move(name), &log),
      host_(host),
      backend_(backend),
      source_(std::move(source)),
      options_(std::move(options)),
      library_(std::move(library)),
      log_(log) {}

SessionRunner::~SessionRunner() {
  if (active()) deactivate();
}

std::string SessionRunner::model_name() const {
  return source_.file.path.empty() ? "the model in memory" : source_.file.path;
}

std::vector<NodeTime> SessionRunner::node_times() {
  return session_ ? session_->profile() : Runner::node_times();
}

void SessionRunner::activate_impl() {
  const std::shared_ptr<const std::string> artefact =
      source_.artefact ? source_.artefact() : nullptr;
  const std::shared_ptr<BackendInstance> instance = host_.open(backend_.name, library_);
  if (artefact) return load(*instance, {.bytes = *artefact, .format = source_.file.format});
  const BackendLimits limits = limits_of(instance, options_);
  const PreparedModel prepared = source_.make ? prepare_loaded_model(source_.make(), limits, log_)
                                              : prepare_model(source_.file, limits, log_);
  try {
    load(*instance, prepared.blob());
  } catch (const RunnerFailure& refusal) {
    if (!load_inlined(*instance, limits, refusal)) throw;
  }
}

bool SessionRunner::load_inlined(BackendInstance& instance, const BackendLimits& limits,
                                 const RunnerFailure& refusal) {
  if (!source_.file.inline_refused || source_.make || source_.file.format != kOnnxFormat)
    return false;
  Logger silent;
  const std::unique_ptr<graphsurgeon::Model> model = load_onnx(source_.file, silent);
  if (model->functions.empty()) return false;
  inline_all_calls(*model);
  model->functions.clear();
  try {
    load(instance, prepare_loaded_model(*model, limits, log_).blob());
  } catch (const RunnerFailure&) {
    return false;
  }
  log_.warning(log_modules::kOnnxLoader,
               fmt::format("{} runs a copy of the model with its local functions inlined: {}",
                           backend_.name, refusal.what()));
  return true;
}

void SessionRunner::load(BackendInstance& instance, ModelBlob blob) {
  const auto explained = [&](auto&& step) {
    try {
      step();
    } catch (const Error& error) {
      if (is_of_the_user(error)) throw;
      // If the file itself is wrong, the graph library reports that, with the place in it.
      if (!source_.make && !source_.artefact) check_model_file(source_.file);
      throw RunnerFailure(
          wants_known_ranks(error.what()) ? kUnknownRanks : ErrorCode(),
          fmt::format("{} cannot load {}: {}", backend_.name, model_name(), error.what()),
          error.hint());
    }
  };
  std::optional<BackendInstance::Artefact> built;
  explained([&] {
    if (instance.builds(blob.format)) {
      built = instance.build(blob, options_);
    } else {
      instance.save_artefact(blob, options_);
    }
  });
  if (built && built->failure) std::rethrow_exception(built->failure);
  if (built) blob = {.bytes = built->bytes, .format = built->format};
  explained([&] { session_ = instance.load(blob, options_); });
  precision_ = session_->precision();
}

void SessionRunner::deactivate_impl() noexcept {
  session_.reset();
}

Metadata SessionRunner::input_metadata_impl() {
  return metadata_of(session_->inputs());
}

Inference SessionRunner::infer_impl(const ValueMap& feeds) {
  try {
    return session_->infer(feeds);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw RunnerFailure(fmt::format("{} | {} failed to run {}: {}", name(), backend_.name,
                                    model_name(), error.what()),
                        error.hint());
  }
}

std::string next_runner_name(PluginHost& host, const std::string& prefix, bool with_time) {
  const std::string name = fmt::format("{}-N{}", prefix, host.next_runner_index(prefix));
  return with_time ? name + "-" + date_and_time() : name;
}

std::unique_ptr<Runner> make_named_runner(std::string name, PluginHost& host,
                                          const pgb_backend_options& backend, ModelSource model,
                                          SessionOptions options, const std::string& library,
                                          Logger& log) {
  return std::make_unique<SessionRunner>(std::move(name), host, backend,
                                         SessionRunner::Source{.file = std::move(model)},
                                         std::move(options), library, log);
}

std::unique_ptr<Runner> make_runner(PluginHost& host, const pgb_backend_options& backend,
                                    ModelSource model, SessionOptions options,
                                    const std::string& library, Logger& log) {
  return make_named_runner(next_runner_name(host, backend.runner_prefix), host, backend,
                           std::move(model), std::move(options), library, log);
}

}  // namespace polygraphy
