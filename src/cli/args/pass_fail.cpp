#include <optional>

#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/args/debugging.h"
#include "cli/syntax/arg_group.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--check --check-inference",
     .help = "Command that checks an iteration, with all its arguments. Its exit code is the "
             "verdict, unless the options below change that. {model} in it is replaced by the path "
             "of the file to check; $POLYGRAPHY_DEBUG_MODEL holds that path too. The command runs "
             "without a shell; a command in one quoted word, '...', runs in sh -c, and this tool's "
             "options may follow it. Without --check, enter each verdict on the terminal.",
     .arity = Arity::kCommand,
     .files = FileUse::kReadCommand,
     .metavar = "COMMAND",
     .exclusive = kWaysToCheck},
    {.spellings = "--fail-code --fail-returncode",
     .help = "Exit codes that mean failure; all others pass. -N: killed by signal N.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kInt,
     .metavar = "CODE",
     .needs = "--check",
     .exclusive = 11},
    {.spellings = "--ignore-fail-code --ignore-fail-returncode",
     .help = "Exit codes that pass, besides 0.",
     .arity = Arity::kOneOrMore,
     .type = ValueType::kInt,
     .metavar = "CODE",
     .needs = "--check",
     .exclusive = 11},
    {.spellings = "--fail-regex",
     .help = "Regular expressions (Python's). The iteration fails if one of them matches the "
             "command's output, whatever the exit code; with --fail-code, both must match.",
     .arity = Arity::kOneOrMore,
     .metavar = "REGEX",
     .needs = "--check"},
    {.spellings = "--show-output",
     .help = "Show the output of the command also when it passes.",
     .arity = Arity::kFlag,
     .needs = "--check",
     .exclusive = 12},
    {.spellings = "--hide-fail-output",
     .help = "Do not show the output of the command when it fails.",
     .arity = Arity::kFlag,
     .needs = "--check",
     .exclusive = 12},
    {.spellings = "--check-timeout",
     .help = "Kill the check after this many seconds; the iteration then fails. Default: ten times "
             "the duration of the first check, at least ten seconds.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--same-failure",
     .help = "An iteration fails only if it fails like the first failing one: with the same exit "
             "code or signal, and the same first error in the output. Without it, other failures "
             "count, with a warning.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

std::vector<int> codes(const ParsedArgs& args, std::string_view key) {
  std::vector<int> result;
  for (const std::string& text : args.list(key)) {
    result.push_back(static_cast<int>(parse_int(text).value_or(0)));
  }
  return result;
}

}  // namespace

extern constinit const ArgGroup args_pass_fail = {
    .title = "Pass/Fail Reporting", .summary = "Verdict of an iteration.", .options = kOptions};

std::optional<double> check_timeout(const ParsedArgs& args) {
  const std::optional<double> seconds = args.number("--check-timeout");
  // With none at all, every check hangs.
  if (seconds && !(*seconds > 0)) {
    throw Error("--check-timeout must be more than 0 seconds, but was: " +
                    args.text("--check-timeout").value_or(""),
                "Leave it out to derive the limit from the first check.");
  }
  return seconds;
}

CommandCheckOptions resolve_check(const ParsedArgs& args) {
  CommandCheckOptions options;
  options.command = args.list("--check");
  if (options.command.size() == 1 && is_shell_command(options.command.front())) {
    options.command = {"sh", "-c", options.command.front()};
  }
  if (args.has("--check") && options.command.empty()) {
    throw Error("--check was given without a command",
                "Put the command after it, as the last option.");
  }
  options.rules.codes = codes(args, "--fail-code");
  options.rules.ignored = codes(args, "--ignore-fail-code");
  for (const std::string& pattern : args.list("--fail-regex")) {
    options.rules.patterns.emplace_back(pattern);
  }
  options.timeout = check_timeout(args);
  options.show_output = args.has("--show-output");
  options.hide_fail_output = args.has("--hide-fail-output");
  return options;
}

}  // namespace polygraphy::cli
