// There is one engine, the onnx library's rules; the original's choice between that and another is
// accepted and changes nothing.
#include "cli/args/onnx_shape_inference.h"

#include <algorithm>

#include "base/text.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kKindSet = 2;
constexpr std::string_view kModule = "backend/onnx/loader.py";

constexpr Option kOptions[] = {
    {.spellings = "--shape-inference --do-shape-inference",
     .help = "Infer the shapes and types of tensors when the model is loaded.",
     .arity = Arity::kFlag,
     .exclusive = kKindSet},
    {.spellings = "--no-shape-inference",
     .help = "Do not infer the shapes and types of tensors.",
     .arity = Arity::kFlag,
     .exclusive = kKindSet},
    {.spellings = "--force-fallback-shape-inference",
     .help = "Run the model on ONNX Runtime with generated inputs and take the shapes and types "
             "seen there. Dynamic dimensions become static.",
     .arity = Arity::kFlag,
     .exclusive = kKindSet},
    {.spellings = "--no-onnxruntime-shape-inference",
     .help = "Accepted for compatibility: shapes are always inferred by the onnx library's rules.",
     .arity = Arity::kFlag},
};

}  // namespace

constinit const ArgGroup args_onnx_shape_inference = {
    .title = "ONNX Shape Inference",
    .summary = "Filling in shapes that the model does not state.",
    .options = kOptions};

bool wants_shape_inference(const ParsedArgs& args) {
  if (args.syntax().find("--shape-inference")) return args.has("--shape-inference");
  return args.syntax().find("--no-shape-inference") && !args.has("--no-shape-inference") &&
         !args.has("--force-fallback-shape-inference");
}

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

}  // namespace polygraphy::cli
