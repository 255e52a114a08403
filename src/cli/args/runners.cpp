// The runner flags. Those of the back ends in the tree come from their own tables.
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {

namespace {

constexpr Option kOptions[] = {
    {.spellings = "--model-runner",
     .help = "Use a program as a runner: FILE is started for each inference, gets the inputs on "
             "standard input (and in --input-file), and prints the outputs as JSON, or writes them "
             "to --output-file; *.py runs under python3.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .starts_programs = true,
     .selects_runner = true,
     .appends = true},
};

}  // namespace

extern constinit const ArgGroup args_runners = {
    .title = "Runners",
    .summary = "Runners, in this order; each may be repeated.",
    .options = kOptions,
    .from_backends = FromBackends::kRunnerFlags};

}  // namespace polygraphy::cli
