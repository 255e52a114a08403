// Saving the ONNX model that is run (spec C.7): known, not there yet.
#include "cli/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--save-onnx", .type = ValueType::kPath, .support = Support::kLater},
    {.spellings = "--save-external-data --external-data-path",
     .arity = Arity::kOptional,
     .support = Support::kLater,
     .appends = true},
    {.spellings = "--external-data-size-threshold", .support = Support::kLater},
    {.spellings = "--no-save-all-tensors-to-one-file",
     .arity = Arity::kFlag,
     .support = Support::kLater},
};

}  // namespace

extern const ArgGroup args_onnx_saving;
constinit const ArgGroup args_onnx_saving = {
    .title = "ONNX Model Saving", .summary = {}, .options = kOptions};

}  // namespace polygraphy::cli
