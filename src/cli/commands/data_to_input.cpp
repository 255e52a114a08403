// `polygraphy data to-input`, a command of 0.49.
#include "base/log_modules.h"
#include "cli/args/combine.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/data/results/combine_files.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_combine}};

int run_command(Session& session) {
  session.log().warning(
      log_modules::kData,
      "Polygraphy 0.53 renamed `data to-input` to `data merge`; the old name may be removed.");
  const CombineArgs args = resolve_combine(session.args(), session.env());
  merge_saved_files(args.paths, args.output, session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_data_to_input = {
    .path = "data to-input",
    .summary = "Alias of `data merge`, from 0.49.",
    .description = "Alias of `data merge`, from Polygraphy 0.49.",
    .examples =
        "polygraphy data to-input outputs.json -o inputs.json\n"
        "polygraphy data to-input first.json second.json -o inputs.json",
    .order = 3,
    .groups = kGroups,
    .run = run_command,
};

}  // namespace polygraphy::cli
