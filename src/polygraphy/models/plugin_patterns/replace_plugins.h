// `plugin replace`: puts nodes of plugins in place of the subgraphs that a configuration names.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/models/plugin_patterns/replacement_config.h"

namespace polygraphy {

struct ReplaceOptions {
  ModelSource model;
  std::string plugin_folder;
  std::string packages = {};  // as MatchOptions::packages
};

// Called only if a plugin has a custom replacement.
using PythonMaker = std::function<std::shared_ptr<UserPython>()>;

// Loads the model and replaces the subgraphs that `config` names, plugin by plugin: by
// replace_with_plugin() of <plugin_folder>/<plugin>/pattern.py where there is one, else by
// replace_subgraph(). `name` is the configuration's, for messages. INFO: `replaced N instances of P
// plugin`. Warns of a plugin without a pattern file, and where the plugin's own replacement left
// instances as they were. The nodes of the result are sorted. Throws Error.
std::unique_ptr<graphsurgeon::Model> replace_plugins(const ReplaceOptions& options,
                                                     const ReplacementConfig& config,
                                                     const std::string& name,
                                                     const PythonMaker& python, Logger& log);

}  // namespace polygraphy
