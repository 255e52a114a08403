#include "polygraphy/diagnosis/model_checks/model_check.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy {
namespace {

void check_backends(const ModelCheck& kind, const std::vector<RunnerSpec>& runners,
                    const PluginPaths& paths) {
  std::vector<std::string> known;
  const BackendCatalog catalog(paths.plugin_dirs);
  for (const BackendEntry& entry : catalog.entries()) {
    if (takes_format(*entry.options, kOnnxFormat)) known.emplace_back(entry.options->name);
  }
  const std::string list = join(std::span<const std::string>(known), ", ");
  const std::string option = option_of(kind);
  for (const RunnerSpec& runner : runners) {
    if (std::find(known.begin(), known.end(), runner.backend) != known.end()) continue;
    throw Error(option + ": unknown back end '" + runner.backend + "'",
                unknown_name_hint(runner.backend, known, "Back ends"));
  }
  if (runners.size() >= kind.least_backends && runners.size() <= kind.most_backends) return;
  const bool few = runners.size() < kind.least_backends;
  throw Error(
      option + " takes " + std::to_string(few ? kind.least_backends : kind.most_backends) +
          (few ? " back ends or more, but received " : " back end(s) at most, but received ") +
          std::to_string(runners.size()),
      "Back ends: " + list);
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

std::vector<std::string> backends_of(const ModelCheck& kind, std::vector<std::string> named) {
  if (named.empty() && !kind.usual_backend.empty()) named.emplace_back(kind.usual_backend);
  return named;
}

std::unique_ptr<Check> make_model_check(const ModelCheck& kind, ModelCheckOptions options,
                                        const CheckTools& tools, Logger& log) {
  if (options.runners.empty() && !kind.usual_backend.empty())
    options.runners.push_back({.backend = std::string(kind.usual_backend)});
  check_backends(kind, options.runners, tools.runners.paths);
  return kind.make(options, tools, log);
}

}  // namespace polygraphy
