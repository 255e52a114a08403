#include "polygraphy/facade/plugins.h"

#include "base/error.h"
#include "polygraphy/models/plugin_patterns/match_plugins.h"
#include "polygraphy/models/plugin_patterns/replace_plugins.h"

namespace polygraphy {
namespace {

const std::shared_ptr<UserPython>& python_of(const RunnerTools& tools) {
  if (!tools.python) {
    throw Error("Patterns of plugins need Python, which is missing",
                "Set RunnerTools::python, or take the tools of tools_of_tree().");
  }
  return tools.python;
}

}  // namespace

std::string match_plugins(const ModelSource& model, const PluginFolder& plugins,
                          const RunnerTools& tools, Logger& log) {
  const MatchOptions options{.model = model,
                             .patterns = {.folder = plugins.folder,
                                          .include = plugins.include,
                                          .exclude = plugins.exclude},
                             .packages = plugins.packages};
  return config_text(match_plugins(options, python_of(tools), log).config);
}

std::unique_ptr<graphsurgeon::Model> replace_plugins(const ModelSource& model,
                                                     const PluginFolder& plugins,
                                                     const std::string& config,
                                                     const RunnerTools& tools, Logger& log) {
  const std::string name = "the configuration";
  const ReplaceOptions options{
      .model = model, .plugin_folder = plugins.folder, .packages = plugins.packages};
  return replace_plugins(
      options, read_config(config, name), name, [&] { return python_of(tools); }, log);
}

}  // namespace polygraphy
