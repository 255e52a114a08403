// `polygraphy data concat`.
#include "cli/args/combine.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/data/results/combine_files.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_combine}};

int run_command(Session& session) {
  const CombineArgs args = resolve_combine(session.args(), session.env());
  concat_saved_files(args.paths, args.output, session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_data_concat = {
    .path = "data concat",
    .summary = "Append the iterations of several files.",
    .description =
        "Concatenate the iterations of several files of saved inputs, or of saved outputs, in one "
        "file.",
    .examples =
        "polygraphy data concat first.json second.json -o all.json\n"
        "polygraphy data concat run1.json run2.json run3.json -o all.json",
    .order = 2,
    .groups = kGroups,
    .run = run_command,
};

}  // namespace polygraphy::cli
