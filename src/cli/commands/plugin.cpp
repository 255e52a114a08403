// `polygraphy plugin`: the group.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_plugin = {
    .path = "plugin",
    .summary = "Find subgraphs of ONNX models that plugins can replace, and replace them.",
    .description =
        "Find subgraphs of an ONNX model that TensorRT plugins can replace, and replace them by "
        "single nodes. A plugin's Python file, which works on graphs of onnx_graphsurgeon and runs "
        "in your own Python, selects the subgraphs.",
    .order = 90,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
