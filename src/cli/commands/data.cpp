// `polygraphy data`: the group of what works on saved inputs and outputs.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_data = {
    .path = "data",
    .summary = "Combine files of saved inputs and outputs.",
    .description = "Combine files of saved inputs and outputs.",
    .order = 80,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
