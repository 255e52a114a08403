// Shape inference on load (spec C.5). There is one engine, the onnx library's; the original's
// choice between that and another is accepted and changes nothing.
#include "cli/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--shape-inference --do-shape-inference",
     .help = "Infer the shapes and types of tensors when the model is loaded.",
     .arity = Arity::kFlag},
    {.spellings = "--no-onnxruntime-shape-inference",
     .help = "Accepted for compatibility: shapes are always inferred by the onnx library's rules.",
     .arity = Arity::kFlag},
};

}  // namespace

extern const ArgGroup args_onnx_shape_inference;
constinit const ArgGroup args_onnx_shape_inference = {
    .title = "ONNX Shape Inference",
    .summary = "Filling in shapes that the model does not state.",
    .options = kOptions};

}  // namespace polygraphy::cli
