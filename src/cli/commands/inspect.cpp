// `polygraphy inspect`: the group of what looks into files.
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

}  // namespace

extern constinit const Command command_inspect = {
    .path = "inspect",
    .summary = "Show models and saved data.",
    .description = "Show the contents of a model or of a file of saved inputs or outputs.",
    .order = 30,
    .groups = kGroups,
};

}  // namespace polygraphy::cli
