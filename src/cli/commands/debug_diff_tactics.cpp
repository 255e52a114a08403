// `polygraphy debug diff-tactics`.
#include "cli/args/logging.h"
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

extern const Command command_debug_diff_tactics;
constinit const Command command_debug_diff_tactics = {
    .path = "debug diff-tactics",
    .summary = "The name of `inspect diff-tactics` in 0.49.",
    .description =
        "The name that `inspect diff-tactics` had in Polygraphy 0.49. Say which algorithms are "
        "chosen in bad tactic replays of TensorRT and in no good one. TensorRT is not needed.",
    .order = 4,
    .groups = kGroups,
    .run = run_command,
};

}  // namespace polygraphy::cli
