// `plugin match` and `plugin list`: where a model has subgraphs that plugins can replace.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/plugin_patterns/pattern_files.h"
#include "polygraphy/models/plugin_patterns/replacement_config.h"

namespace polygraphy {

struct MatchOptions {
  ModelSource model;
  PatternChoice patterns;
  // The folder of the package onnx_graphsurgeon that patterns get where their Python can load it;
  // empty: the installed one.
  std::string packages = {};
};

struct FoundPlugins {
  // Folder of the plugin -> instances, in the order of the folders' names; those without are there.
  std::vector<std::pair<std::string, size_t>> counts;
  ReplacementConfig config;
};

// Runs the pattern of each plugin. Loads the model once, and gives each pattern a separate copy.
// INFO: `checking P in model`, the model's line, and `the following plugins matched:`. Warns of
// instances with tensors that the model lacks. Throws Error for faults of a pattern file.
FoundPlugins match_plugins(const MatchOptions& options, const std::shared_ptr<UserPython>& python,
                           Logger& log);

// "{'toyPlugin': 1}".
std::string counts_text(const FoundPlugins& found);

}  // namespace polygraphy
