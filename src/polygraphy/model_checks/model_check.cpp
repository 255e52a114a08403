#include "polygraphy/model_checks/model_check.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy {
namespace {

void check_engines(const ModelCheck& kind, const std::vector<std::string>& engines,
                   const PluginPaths& paths) {
  std::vector<std::string> known;
  const BackendCatalog catalog(paths.plugin_dirs);
  for (const BackendEntry& entry : catalog.entries()) known.emplace_back(entry.options->name);
  const std::string list = join(std::span<const std::string>(known), ", ");
  const std::string option = option_of(kind);
  for (const std::string& engine : engines) {
    if (std::find(known.begin(), known.end(), engine) != known.end()) continue;
    throw Error(option + ": there is no engine '" + engine + "'", "Engines are: " + list);
  }
  if (engines.size() >= kind.least_engines && engines.size() <= kind.most_engines) return;
  const bool few = engines.size() < kind.least_engines;
  throw Error(
      option + " takes " + std::to_string(few ? kind.least_engines : kind.most_engines) +
          (few ? " engines or more, but was given " : " engine(s) at most, but was given ") +
          std::to_string(engines.size()),
      "Engines are: " + list);
}

}  // namespace

std::string option_of(const ModelCheck& kind) {
  return "--check-" + std::string(kind.name);
}

const ModelCheck* find_model_check(std::string_view name) {
  for (const ModelCheck* kind : model_checks()) {
    if (kind->name == name) return kind;
  }
  return nullptr;
}

std::unique_ptr<Check> make_model_check(const ModelCheck& kind, ModelCheckOptions options,
                                        const CheckTools& tools, Logger& log) {
  if (options.engines.empty() && !kind.usual_engine.empty()) {
    options.engines.emplace_back(kind.usual_engine);
  }
  check_engines(kind, options.engines, tools.paths);
  return kind.make(options, tools, log);
}

}  // namespace polygraphy
