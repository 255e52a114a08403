// TensorFlow has no back end here yet: its options are known by name and arity.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--tf", .arity = Arity::kFlag, .selects_runner = true},
    {.spellings = "--tftrt --use-tftrt", .arity = Arity::kFlag},
    {.spellings = "--minimum-segment-size", .type = ValueType::kInt},
    {.spellings = "--dynamic-op", .arity = Arity::kFlag},
    {.spellings = "--ckpt"},
    {.spellings = "--tf-outputs", .arity = Arity::kOneOrMore},
    {.spellings = "--save-pb", .type = ValueType::kPath},
    {.spellings = "--save-tensorboard", .type = ValueType::kPath},
    {.spellings = "--freeze-graph", .arity = Arity::kFlag},
    {.spellings = "--gpu-memory-fraction", .type = ValueType::kFloat},
    {.spellings = "--allow-growth", .arity = Arity::kFlag},
    {.spellings = "--xla", .arity = Arity::kFlag},
    {.spellings = "--save-timeline", .type = ValueType::kFolder},
    {.spellings = "--opset", .type = ValueType::kInt},
};

}  // namespace

extern const ArgGroup args_tensorflow;
constinit const ArgGroup args_tensorflow = {
    .title = "TensorFlow", .summary = {}, .options = kOptions, .absent_engine = "TensorFlow"};

}  // namespace polygraphy::cli
