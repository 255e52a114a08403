// `polygraphy mcp`.
#include <filesystem>
#include <string>

#include "base/error.h"
#include "cli/args/logging.h"
#include "cli/mcp/mcp_server.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

constexpr Option kOptions[] = {
    {.spellings = "folder",
     .help =
         "The folder with the models. Agents can read and write nothing outside of it. Default: "
         "the current folder.",
     .arity = Arity::kOptional,
     .type = ValueType::kFolder,
     .files = FileUse::kRead},
};

int run_command(Session& session) {
  Environment& env = session.env();
  const std::string typed(session.args().text("folder").value_or("."));
  std::error_code failed;
  const std::filesystem::path root = std::filesystem::canonical(env.path(typed), failed);
  if (failed || !std::filesystem::is_directory(root)) throw IoError(typed + " is not a folder");
  serve_mcp(env, root.native());
  return 0;
}

}  // namespace

extern constinit const Command command_mcp = {
    .path = "mcp",
    .summary = "Serve agents by the Model Context Protocol.",
    .description =
        "Serve agents and editors over standard input and output by the Model Context Protocol: "
        "they inspect, run, compare, check, reduce and change the models of a folder by tools. See "
        "docs/agents.md.",
    .examples =
        "polygraphy mcp\n"
        "polygraphy mcp models/",
    .order = 118,
    .groups = kGroups,
    .options = kOptions,
    .failure = kCouldNotRun,
    .speaks_protocol = true,
    .is_outside = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
