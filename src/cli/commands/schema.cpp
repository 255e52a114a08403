// `polygraphy schema`.
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/args/logging.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/diagnosis/schemas/result_schemas.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "command",
     .help = "The words of a command, such as 'debug locate'. Default: all that have a schema.",
     .arity = Arity::kZeroOrMore},
};

int run_command(Session& session) {
  const auto words = session.args().list("command");
  write_file("-", result_schema(join(words, " ")));
  return 0;
}

}  // namespace

extern constinit const Command command_schema = {
    .path = "schema",
    .summary = "Print the JSON Schema of the results of a command.",
    .description =
        "Print the JSON Schema of the document that a command writes as JSON, with the meaning of "
        "each member. See docs/results.md.",
    .examples =
        "polygraphy schema debug locate\n"
        "polygraphy schema > schemas.json",
    .order = 115,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
