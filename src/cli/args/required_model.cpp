#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

// Commands pick from these; each has at most one of the shape options.
constexpr Option kOptions[] = {
    {.spellings = "model_file",
     .help = "The model.",
     .files = FileUse::kReadModel,
     .required = true},
    {.spellings = "--model-type",
     .help = "Type of the model, if its file name does not show it.",
     .choices = "frozen keras ckpt onnx engine uff trt-network-script caffe saved_model",
     .added_choices = "saved_model",
     .offered = "onnx frozen saved_model ckpt keras"},
    {.spellings = "--input-shapes --inputs",
     .help = "Shapes of generated inputs, such as image:[1,3,224,224]. No effect if the model is "
             "not run.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:SHAPE"},
    {.spellings = "--model-input-shapes --model-inputs",
     .help = "Shapes of the model's inputs, such as image:[1,3,224,224], for running it to infer "
             "other shapes. Default: 1 for each dynamic dimension.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:SHAPE"},
    {.spellings = "--override-input-shapes --override-inputs",
     .help = "New shapes for inputs of the model, such as image:[1,3,224,224] or image:[N,3,H,W]. "
             "The shapes of all other tensors are inferred again.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME:SHAPE"},
};

}  // namespace

extern constinit const ArgGroup args_required_model = {
    .title = "Model", .summary = "Model, and shapes of its inputs.", .options = kOptions};

}  // namespace polygraphy::cli
