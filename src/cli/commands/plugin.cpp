// `polygraphy plugin`: the group.
#include "cli/args/logging.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern const Command command_plugin;
constinit const Command command_plugin = {
    .path = "plugin",
    .summary = "Find subgraphs of ONNX models that plugins can replace, and replace them.",
    .description =
        "Find subgraphs of an ONNX model that plugins of TensorRT can replace, and replace them by "
        "single nodes. What a plugin replaces is told by a Python file of its own, which works on "
        "graphs of onnx_graphsurgeon and runs in your own Python.",
    .order = 90,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
