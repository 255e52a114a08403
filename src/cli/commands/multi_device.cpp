// `polygraphy multi-device`: the group.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_multi_device = {
    .path = "multi-device",
    .summary = "Prepare models that several devices run together.",
    .description = "Prepare models that several devices run together.",
    .order = 100,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
