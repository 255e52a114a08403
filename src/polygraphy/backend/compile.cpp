#include "polygraphy/backend/compile.h"

#include <fmt/format.h>

#include <memory>

#include "polygraphy/backend.h"
#include "polygraphy/backend/backend_limits.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/loaders/prepare_model.h"

namespace polygraphy {
namespace {

std::string answer(Compilation wanted, BackendInstance& instance, const ModelBlob& model,
                   const SessionOptions& options) {
  switch (wanted) {
    case Compilation::kNetwork:
      return instance.describe_network(model, options);
    case Compilation::kCapability:
      return instance.describe_capability(model, options);
    case Compilation::kArtefact:
      break;
  }
  return instance.build(model, options).bytes;
}

}  // namespace

std::string compile(Compilation wanted, PluginHost& host, const pgb_backend_options& backend,
                    const ModelSource& model, const SessionOptions& options,
                    const std::string& library, Logger& log) {
  const std::shared_ptr<BackendInstance> instance = host.open(backend.name, library);
  const PreparedModel prepared = prepare_model(model, limits_of(instance, options), log);
  try {
    return answer(wanted, *instance, prepared.blob(), options);
  } catch (const Interrupted&) {
    throw;
  } catch (const OptionError&) {
    throw;
  } catch (const Error& error) {
    check_model_file(model);
    throw RunnerFailure(
        fmt::format("{} cannot {} {}: {}", backend.name,
                    wanted == Compilation::kArtefact ? "build" : "read", model.path, error.what()),
        error.hint());
  }
}

}  // namespace polygraphy
