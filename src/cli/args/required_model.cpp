#include "cli/args/model.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "model_file", .help = "The model.", .type = ValueType::kPath, .required = true},
    {.spellings = "--model-type",
     .help = "The kind of model, where the file's name does not tell.",
     .choices = "frozen keras ckpt onnx engine uff trt-network-script caffe",
     .offered = "onnx"},
};

}  // namespace

constinit const ArgGroup args_required_model = {
    .title = "Model", .summary = "What to look into.", .options = kOptions};

}  // namespace polygraphy::cli
