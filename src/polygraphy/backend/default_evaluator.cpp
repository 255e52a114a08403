#include "polygraphy/backend/default_evaluator.h"

#include "polygraphy/backend/onnxrt_evaluator.h"

namespace polygraphy {

std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(Logger& log, const std::string& tree) {
  PluginPaths paths;
  paths.plugin_dirs = {tree + "/lib/polygraphy/backends"};
  paths.bundled = {tree + "/lib/polygraphy/engines"};
  return std::make_unique<OnnxrtEvaluator>(std::move(paths), log);
}

}  // namespace polygraphy
