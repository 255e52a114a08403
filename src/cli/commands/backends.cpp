// `polygraphy backends`: the back ends, where their libraries are, and what is missing.
#include "base/log_modules.h"
#include "base/text.h"
#include "cli/args/logging.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}};

void add_line(std::string& text, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  text += "    " + std::string(name) + ':' + std::string(9 - name.size(), ' ') +
          std::string(value) + "\n";
}

int run(Session& session) {
  PluginHost host(resolve_plugin_paths(session.env()), session.log());
  const auto rows = host.status();
  std::string text = "==== " + std::to_string(rows.size()) + " Back End(s) ====\n";
  for (const BackendStatus& row : rows) {
    text += "\n" + row.name + " | " + (row.available ? "available" : "not available") + " | " +
            row.summary + "\n";
    add_line(text, "Flag", join(split(row.flags, ' '), ", "));
    add_line(text, "Version", row.library_version);
    add_line(text, "Library", row.library_path);
    add_line(text, "Devices", row.devices);
    add_line(text, "Reason", row.reason);
    if (!row.available) add_line(text, "Remedy", row.remedy);
  }
  session.log().info(log_modules::kBackends, text);
  return 0;
}

}  // namespace

extern const Command command_backends;
constinit const Command command_backends = {
    .path = "backends",
    .summary = "List the back ends, their libraries, and missing ones.",
    .description =
        "List every back end: the version and path of its library, or the reason why there is none "
        "and the remedy.",
    .order = 110,
    .groups = kGroups,
    .run = run,
};

}  // namespace polygraphy::cli
