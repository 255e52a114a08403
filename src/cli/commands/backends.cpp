// `polygraphy backends`: the back ends, the paths of their libraries, and missing ones.
#include <algorithm>

#include "base/log_modules.h"
#include "base/text.h"
#include "cli/args/isolation.h"
#include "cli/jobs/tf_model.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/contract/contract_check.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_backend_path}};

constexpr Option kOptions[] = {
    {.spellings = "--check",
     .help =
         "Check this back end instead: run the cases that every back end must pass, in a separate "
         "process. Failures show the observed and the expected result; the exit code is then 1.",
     .metavar = "NAME",
     .origin = Origin::kOurs},
    {.spellings = "--check-model",
     .help = "With --check: a model that the back end supports. It is run with zeros, and further "
             "cases check its sessions.",
     .files = FileUse::kRead,
     .or_folder = true,
     .metavar = "MODEL",
     .origin = Origin::kOurs,
     .needs = "--check"},
    {.spellings = "--model-type",
     .help = "With --check-model: type of the model, if its file name does not show it.",
     .metavar = "TYPE",
     .origin = Origin::kOurs,
     .needs = "--check"},
    {.spellings = "--exclusions",
     .help = "With --check: file of cases that the back end does not pass, one line 'PATTERN | "
             "unsupported, wrong or varies | REASON' each. Default: "
             "polygraphy_<name>.exclusions.txt beside the plugin, if it exists.",
     .files = FileUse::kRead,
     .metavar = "FILE",
     .origin = Origin::kOurs,
     .needs = "--check"},
    {.spellings = "--timeout",
     .help = "With --check: end a case that takes longer than this many seconds. Default: 60.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs,
     .needs = "--check"},
};

void add_line(std::string& text, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  text += "    " + std::string(name) + ':' + std::string(9 - name.size(), ' ') +
          std::string(value) + "\n";
}

// In the form that the back end's library reads.
ModelSource model_to_check(Session& session, const std::string& backend) {
  const ParsedArgs& args = session.args();
  ModelSource model{.path = session.env().path(args.text("--check-model").value_or("")),
                    .format = args.text("--model-type").value_or("")};
  const BackendCatalog catalog(resolve_plugin_paths(session.env()).plugin_dirs);
  const auto& entries = catalog.entries();
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const BackendEntry& each) {
    return each.options->name == backend;
  });
  if (model.path.empty() || entry == entries.end()) return model;
  model.format = contract::format_to_check(*entry->options, model.path, model.format);
  make_readable_for_tensorflow(session, model);
  return model;
}

int check(Session& session, const std::string& name) {
  session.announce();
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  const DeferredInterrupts interrupts(env);
  const ModelSource model = model_to_check(session, name);
  contract::ContractCheck check{.backend = name,
                                .exclusions = env.path(args.text("--exclusions").value_or("")),
                                .model = model.path,
                                .model_type = model.format,
                                .paths = resolve_plugin_paths(env),
                                .program = env.executable,
                                .cancel = cancel_token(env)};
  if (const auto seconds = resolve_timeout(args)) check.seconds = *seconds;
  const contract::ContractReport report = contract::check_contract(check, session.log());
  const std::string text = "back end " + name + " | Passed: " + std::to_string(report.passed) +
                           " | Excluded: " + std::to_string(report.excluded) +
                           " | Failed: " + std::to_string(report.failed);
  session.log().log(report.complied() ? Severity::kInfo : Severity::kError, log_modules::kBackends,
                    (report.complied() ? "PASSED | " : "FAILED | ") + text);
  return report.complied() ? 0 : 1;
}

int run_command(Session& session) {
  if (const auto name = session.args().text("--check")) return check(session, *name);
  session.introduce();
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

extern constinit const Command command_backends = {
    .path = "backends",
    .summary = "List the back ends, their libraries, and missing ones.",
    .description =
        "List every back end with the version and path of its library, or with the reason why it "
        "is missing and the remedy. Or check one back end, for its developers.",
    .examples =
        "polygraphy backends\n"
        "polygraphy backends --check openvino",
    .order = 110,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
