#include "polygraphy/models/loaders/infer_model_shapes.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/log_modules.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
bool infer_model_shapes(graphsurgeon::Model& model, Logger& log) {
  log.verbose(log_modules::kOnnxLoader, "Starting shape inference");
  const auto result = graphsurgeon::infer_shapes(model, {}, log);
  if (result.problems.empty()) {
    log.verbose(log_modules::kOnnxLoader, "Shape inference completed successfully");
    return true;
  }
  constexpr size_t kShown = 5;
  const size_t shown =
      log.enabled(Severity::kVerbose, log_modules::kOnnxLoader) ? result.problems.size() : kShown;
  std::string text =
      "Shapes could not be inferred for " + std::to_string(result.problems.size()) + " node(s):";
  for (size_t i = 0; i < std::min(shown, result.problems.size()); ++i) {
    text += "\n" + result.problems[i];
  }
  if (shown < result.problems.size()) {
    text += "\n... and " + std::to_string(result.problems.size() - shown) + " more: see -v";
  }
  log.warning(log_modules::kOnnxLoader, text);
  return false;
}

}  // namespace polygraphy
