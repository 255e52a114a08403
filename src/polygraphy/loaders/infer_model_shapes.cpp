#include "polygraphy/loaders/infer_model_shapes.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "backend/onnx/loader.py";

}  // namespace

void infer_model_shapes(graphsurgeon::Model& model, Logger& log) {
  log.verbose(kModule, "Starting shape inference");
  const auto result = graphsurgeon::infer_shapes(model, {}, log);
  if (result.problems.empty()) {
    log.verbose(kModule, "Shape inference completed successfully");
    return;
  }
  constexpr size_t kShown = 5;
  const size_t shown = log.enabled(Severity::kVerbose, kModule) ? result.problems.size() : kShown;
  std::string text =
      "Shapes could not be inferred for " + std::to_string(result.problems.size()) + " node(s):";
  for (size_t i = 0; i < std::min(shown, result.problems.size()); ++i) {
    text += "\n" + result.problems[i];
  }
  if (shown < result.problems.size()) {
    text += "\n... and " + std::to_string(result.problems.size() - shown) + " more: see -v";
  }
  log.warning(kModule, text);
}

}  // namespace polygraphy
