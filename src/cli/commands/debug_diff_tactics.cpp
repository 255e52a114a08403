// `polygraphy debug diff-tactics`.
#include "cli/args/tactic_replays.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/model_tools/inspect/inspect_tactics.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_tactic_replays}};

int run_command(Session& session) {
  diff_tactics(resolve_tactic_replays(session.args(), session.env()), session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_debug_diff_tactics = {
    .path = "debug diff-tactics",
    .summary = "Alias of `inspect diff-tactics`, from 0.49.",
    .description =
        "Alias of `inspect diff-tactics`, from Polygraphy 0.49. Find the algorithms that bad "
        "tactic replays of TensorRT contain and good ones do not. It does not need TensorRT.",
    .examples =
        "polygraphy debug diff-tactics --dir replays\n"
        "polygraphy debug diff-tactics --good good.json --bad bad.json",
    .order = 4,
    .groups = kGroups,
    .run = run_command,
};

}  // namespace polygraphy::cli
