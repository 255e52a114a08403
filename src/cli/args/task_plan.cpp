// The plan of tasks that a command works on.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--plan",
     .help = "The plan: a file that a command with --on wrote.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .required = true},
};

}  // namespace

extern constinit const ArgGroup args_task_plan = {
    .title = "Plan", .summary = "Tasks that a command with --on has made.", .options = kOptions};

}  // namespace polygraphy::cli
