// Plugins that replace subgraphs of models: the jobs of `polygraphy plugin match` and `replace`.
//
//   const RunnerTools tools = tools_of_tree();
//   const std::string config = match_plugins({.path = "m.onnx"}, {.folder = "plugins"}, tools,
//   log); const auto model = replace_plugins({.path = "m.onnx"}, {.folder = "plugins"}, config,
//   tools, log);
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

struct PluginFolder {
  std::string folder;                     // <folder>/<plugin>/pattern.py for each plugin
  std::vector<std::string> include = {};  // names of plugins; empty: all
  std::vector<std::string> exclude = {};
  // The folder of the package onnx_graphsurgeon for patterns with Python that can load it; empty:
  // the installed one.
  std::string packages = {};
};

// Runs the pattern of each plugin in `tools.python`. Returns the configuration in YAML, as the
// command writes it: a document for each plugin with instances. Throws Error for faults of a
// pattern file, and without an interpreter.
std::string match_plugins(const ModelSource& model, const PluginFolder& plugins,
                          const RunnerTools& tools, Logger& log);

// The model with nodes of plugins in place of the subgraphs that the configuration names. Throws
// Error, FormatError for a malformed configuration.
std::unique_ptr<graphsurgeon::Model> replace_plugins(const ModelSource& model,
                                                     const PluginFolder& plugins,
                                                     const std::string& config,
                                                     const RunnerTools& tools, Logger& log);

}  // namespace polygraphy
