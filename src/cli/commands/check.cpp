// `polygraphy check`: the group of what judges models and results.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_check = {
    .path = "check",
    .summary = "Check models and saved results.",
    .description = "Check models and results of earlier runs.",
    .order = 40,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
