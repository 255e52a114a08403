// `polygraphy surgeon`: the group.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_surgeon = {
    .path = "surgeon",
    .summary = "Change ONNX models: cut, clean up, fold, insert nodes.",
    .description =
        "Change ONNX models. Unchanged weights are copied from file to file: a model may be much "
        "larger than memory.",
    .order = 50,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
