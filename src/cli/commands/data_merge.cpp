// `polygraphy data merge`.
#include "cli/args/combine.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/data/results/combine_files.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_combine}};

int run_command(Session& session) {
  const CombineArgs args = resolve_combine(session.args(), session.env());
  merge_saved_files(args.paths, args.output, session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_data_merge = {
    .path = "data merge",
    .summary = "Merge the tensors of several files, iteration by iteration, into inputs.",
    .description =
        "Merge saved inputs and outputs into one file of inputs: iteration by iteration, the "
        "tensors of all files together. This turns outputs of one model into inputs of another.",
    .examples =
        "polygraphy data merge images.json masks.json -o inputs.json\n"
        "polygraphy data merge a.json b.json c.json -o inputs.json",
    .order = 1,
    .groups = kGroups,
    .run = run_command,
};

}  // namespace polygraphy::cli
