// `polygraphy schema`.

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/command_syntax.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "cli/syntax/job_schema.h"
#include "polygraphy/diagnosis/schemas/result_schemas.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "command",
     .help = "The words of a command, such as 'debug locate'. Default: all that have a schema.",
     .arity = Arity::kZeroOrMore},
    {.spellings = "--job",
     .help = "Print the schema of the command's jobs instead (`polygraphy job`).",
     .arity = Arity::kFlag},
};

std::string schema_of_job(const std::string& path, const Environment& env) {
  const Command& command = command_of_job(path);
  return job_schema(command, *CommandSyntax(command, env));
}

int run_command(Session& session) {
  const std::string command = join(session.args().list("command"), " ");
  const bool of_job = session.args().has("--job");
  write_file("-", of_job ? schema_of_job(command, session.env()) : result_schema(command));
  return 0;
}

}  // namespace

extern constinit const Command command_schema = {
    .path = "schema",
    .summary = "Print the JSON Schema of the results or the jobs of a command.",
    .description =
        "Print the JSON Schema of the document that a command writes as JSON, with the meaning of "
        "each member (docs/results.md), or of the jobs that `polygraphy job` runs (docs/jobs.md).",
    .examples =
        "polygraphy schema debug locate\n"
        "polygraphy schema run --job",
    .order = 115,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
