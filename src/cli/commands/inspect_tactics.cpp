// `polygraphy inspect tactics`.
#include "polygraphy/model_tools/inspect/inspect_tactics.h"

#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "tactic_replay",
     .help = "File written by `--save-tactics`.",
     .files = FileUse::kRead,
     .required = true},
};

int run_command(Session& session) {
  inspect_tactics(session.env().path(*session.args().text("tactic_replay")), session.log());
  return 0;
}

}  // namespace

extern constinit const Command command_inspect_tactics = {
    .path = "inspect tactics",
    .summary = "Print a tactic replay of TensorRT.",
    .description =
        "Print the algorithm that TensorRT chose for each layer, from a tactic replay. It does not "
        "need TensorRT.",
    .examples =
        "polygraphy inspect tactics replay.json\n"
        "polygraphy inspect tactics replay.json --log-file tactics.txt",
    .order = 2,
    .groups = kGroups,
    .options = kOptions,
    .run = run_command,
};

}  // namespace polygraphy::cli
