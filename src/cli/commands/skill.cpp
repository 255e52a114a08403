// `polygraphy skill`.
#include <string>

#include "base/os/atomic_file.h"
#include "cli/args/logging.h"
#include "cli/session/session.h"
#include "cli/skill_text.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "--install",
     .help = "Write FOLDER/polygraphy/SKILL.md instead, where agents look for skills.",
     .type = ValueType::kFolder,
     .files = FileUse::kWritten,
     .metavar = "FOLDER"},
};

int run_command(Session& session) {
  const auto folder = session.args().text("--install");
  write_file(folder ? session.env().path(*folder) + "/polygraphy/SKILL.md" : "-", skill());
  return 0;
}

}  // namespace

extern constinit const Command command_skill = {
    .path = "skill",
    .summary = "Print recipes for agents: SKILL.md.",
    .description =
        "Print a skill for agents that work with a shell: which command answers which question, "
        "its exit codes and its results as JSON. Agents without a shell use `polygraphy mcp`.",
    .examples =
        "polygraphy skill\n"
        "polygraphy skill --install .claude/skills",
    .order = 119,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
