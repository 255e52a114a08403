// Options of TensorFlow, which has no back end here: they are known by name and arity, and scripts
// for the original are made from them.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--tf", .arity = Arity::kFlag, .selects_runner = true},
    {.spellings = "--tftrt --use-tftrt", .arity = Arity::kFlag},
    {.spellings = "--minimum-segment-size", .type = ValueType::kInt},
    {.spellings = "--dynamic-op", .arity = Arity::kFlag},
    {.spellings = "--ckpt",
     .help = "The checkpoint, where the folder has no list of them: model, of model.meta.",
     .metavar = "NAME"},
    {.spellings = "--tf-outputs",
     .help = "Tensors to become outputs of the runner of TensorFlow, by name; '*' for all.",
     .arity = Arity::kOneOrMore,
     .metavar = "NAME"},
    {.spellings = "--save-pb", .type = ValueType::kPath},
    {.spellings = "--save-tensorboard", .type = ValueType::kPath},
    {.spellings = "--freeze-graph",
     .help = "Freeze the graph, and leave out what does not lead to its outputs.",
     .arity = Arity::kFlag},
    {.spellings = "--gpu-memory-fraction", .type = ValueType::kFloat},
    {.spellings = "--allow-growth", .arity = Arity::kFlag},
    {.spellings = "--xla", .arity = Arity::kFlag},
    {.spellings = "--save-timeline", .type = ValueType::kFolder},
    {.spellings = "--opset",
     .help = "The opset of the ONNX model that is made of a model of TensorFlow.",
     .type = ValueType::kInt},
};

}  // namespace

extern const ArgGroup args_tensorflow;
constinit const ArgGroup args_tensorflow = {
    .title = "TensorFlow", .summary = {}, .options = kOptions, .absent_engine = "TensorFlow"};

}  // namespace polygraphy::cli
