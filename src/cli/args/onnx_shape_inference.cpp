// There is one way, the onnx library's rules; the original's choice between that and another is
// accepted and changes nothing.
#include "cli/args/onnx_shape_inference.h"

#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr uint8_t kKindSet = 2;

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
     .help = "Run the model on ONNX Runtime with generated inputs and use the observed shapes and "
             "types. Dynamic dimensions become static.",
     .arity = Arity::kFlag,
     .exclusive = kKindSet},
    {.spellings = "--no-onnxruntime-shape-inference",
     .help = "Accepted for compatibility: shapes are always inferred by the onnx library's rules.",
     .arity = Arity::kFlag},
};

}  // namespace

extern constinit const ArgGroup args_onnx_shape_inference = {
    .title = "ONNX Shape Inference",
    .summary = "Inference of shapes that the model does not state.",
    .options = kOptions};

bool wants_shape_inference(const ParsedArgs& args) {
  if (args.syntax().find("--shape-inference")) return args.has("--shape-inference");
  return args.syntax().find("--no-shape-inference") && !args.has("--no-shape-inference") &&
         !args.has("--force-fallback-shape-inference");
}

}  // namespace polygraphy::cli
