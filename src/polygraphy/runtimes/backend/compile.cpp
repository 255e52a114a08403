#include "polygraphy/runtimes/backend/compile.h"

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "base/os/atomic_file.h"
#include "polygraphy/backend.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/backend_limits.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/backend/user_errors.h"

namespace polygraphy {
namespace {

using Answer = BackendInstance::Artefact;

Answer text(std::string answer) {
  return {.format = {}, .bytes = std::move(answer)};
}

Answer answer(Compilation wanted, BackendInstance& instance, const ModelBlob& model,
              const SessionOptions& options) {
  switch (wanted) {
    case Compilation::kNetwork:
      return text(instance.describe_network(model, options));
    case Compilation::kCapability:
      return text(instance.describe_capability(model, options));
    case Compilation::kEngine:
      return text(instance.describe_engine(model, options));
    case Compilation::kWeights:
      return text(instance.describe_network_with_weights(model, options));
    case Compilation::kArtefact:
      break;
  }
  return instance.build(model, options);
}

// `name`: of the model. `explain`: throws a better reason for a failure, where there is one.
Answer ask(Compilation wanted, BackendInstance& instance, const PreparedModel& prepared,
           const SessionOptions& options, const std::string& name,
           const std::function<void()>& explain) {
  try {
    return answer(wanted, instance, prepared.blob(), options);
  } catch (const Error& error) {
    if (is_of_the_user(error)) throw;
    explain();
    throw RunnerFailure(
        fmt::format("{} cannot {} {}: {}", instance.name(),
                    wanted == Compilation::kArtefact ? "build" : "read", name, error.what()),
        error.hint());
  }
}

// Writes the answer to the file, if there is a path, so that the file exists before a failure is
// reported.
std::string kept(Answer answer, const std::string& path) {
  if (!path.empty()) write_file(path, std::exchange(answer.bytes, {}));
  if (answer.failure) std::rethrow_exception(answer.failure);
  return std::move(answer.bytes);
}

}  // namespace

std::string compile(Compilation wanted, PluginHost& host, const pgb_backend_options& backend,
                    const ModelSource& model, const SessionOptions& options,
                    const std::string& library, Logger& log, const std::string& path) {
  const std::shared_ptr<BackendInstance> instance = host.open(backend.name, library);
  const PreparedModel prepared = prepare_model(model, limits_of(instance, options), log);
  return kept(
      ask(wanted, *instance, prepared, options, model.path, [&] { check_model_file(model); }),
      path);
}

std::string compile(Compilation wanted, PluginHost& host, const pgb_backend_options& backend,
                    const graphsurgeon::Model& model, const SessionOptions& options,
                    const std::string& library, Logger& log) {
  const std::shared_ptr<BackendInstance> instance = host.open(backend.name, library);
  const PreparedModel prepared = prepare_loaded_model(model, limits_of(instance, options), log);
  return kept(ask(wanted, *instance, prepared, options, "the model in memory", [] {}), {});
}

}  // namespace polygraphy
