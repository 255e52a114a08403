#include "cli/args/logging.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "cli/args/report.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "-v --verbose",
     .help = "Show more: -v verbose, -vv extra verbose, -vvv super verbose, -vvvv everything.",
     .arity = Arity::kFlag,
     .appends = true},
    {.spellings = "-q --quiet",
     .help = "Show less: each use drops the lowest remaining severity; -qqqqq leaves only critical "
             "errors.",
     .arity = Arity::kFlag,
     .appends = true},
    {.spellings = "--verbosity",
     .help = "Lowest severity to show, for all messages or for one path: INFO, or "
             "backend/onnxrt:VERBOSE. Severities: ULTRA_VERBOSE, SUPER_VERBOSE, EXTRA_VERBOSE, "
             "VERBOSE, INFO, START, FINISH, WARNING, ERROR, CRITICAL. -v and -q override a "
             "severity without a path.",
     .arity = Arity::kOneOrMore,
     .metavar = "[PATH:]SEVERITY"},
    {.spellings = "--silent", .help = "Show only critical errors.", .arity = Arity::kFlag},
    {.spellings = "--log-format",
     .help = "Prefix and colours of messages.",
     .arity = Arity::kOneOrMore,
     .choices = "timestamp line-info no-colors"},
    {.spellings = "--log-file",
     .help = "Also write every message to this file, replacing its contents.",
     .files = FileUse::kWritten},
    {.spellings = "--progress",
     .help =
         "json: write the progress to standard error as JSON, an event a line: the phases under "
         "way, their steps, and the time yet.",
     .choices = "json",
     .origin = Origin::kOurs},
    {.spellings = "--print-job",
     .help = "Print this command as a job in JSON, which `polygraphy job` runs, and exit.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

// By count(-v) - count(-q).
Severity severity_of(int64_t level) {
  switch (std::clamp<int64_t>(level, -5, 4)) {
    case 4:
      return Severity::kUltraVerbose;
    case 3:
      return Severity::kSuperVerbose;
    case 2:
      return Severity::kExtraVerbose;
    case 1:
      return Severity::kVerbose;
    case 0:
      return Severity::kInfo;
    case -1:
      return Severity::kStart;
    case -2:
      return Severity::kFinish;
    case -3:
      return Severity::kWarning;
    case -4:
      return Severity::kError;
    default:
      return Severity::kCritical;
  }
}

Severity severity_named(const std::string& name) {
  Severity severity;
  if (parse_severity(name, severity)) return severity;
  constexpr std::array<std::string_view, 10> kNames = {
      "ULTRA_VERBOSE", "SUPER_VERBOSE", "EXTRA_VERBOSE", "VERBOSE", "INFO",
      "START",         "FINISH",        "WARNING",       "ERROR",   "CRITICAL"};
  const std::string meant = did_you_mean(name, kNames);
  throw Error("--verbosity: unknown severity '" + name + "'",
              (meant.empty() ? "" : meant + "\n") + "Severities are: " + join(kNames, ", ") + ".");
}

bool may_use_colors(const Environment& env, const std::vector<std::string>& format) {
  if (!env.out.terminal() || !env.variable("NO_COLOR").empty() || env.variable("TERM") == "dumb")
    return false;
  return std::find(format.begin(), format.end(), "no-colors") == format.end();
}

}  // namespace

extern constinit const ArgGroup args_logging = {
    .title = "Logging",
    .summary = "Severity, format and destination of messages.",
    .options = kOptions,
    .of_messages = true};

void apply_logging(const ParsedArgs& args, const ParsedArgs* outer, const Environment& env,
                   MessageSink& sink, Logger& log) {
  const auto count = [&](std::string_view key) {
    return static_cast<int64_t>(args.count(key) + (outer ? outer->count(key) : 0));
  };
  const auto list = [&](std::string_view key) {
    return args.has(key) || !outer ? args.list(key) : outer->list(key);
  };

  Severity threshold = Severity::kInfo;
  for (const auto& [path, name] : parse_key_values(list("--verbosity"))) {
    const Severity severity = severity_named(name);
    if (path.empty()) {
      threshold = severity;
    } else {
      log.set_severity(path, severity);
    }
  }
  const int64_t level = count("--verbose") - count("--quiet");
  if (level != 0) threshold = severity_of(level);
  if (count("--silent")) {
    for (const auto& [path, name] : parse_key_values(list("--verbosity"))) {
      if (!path.empty()) log.set_severity(path, Severity::kCritical);
    }
    threshold = Severity::kCritical;
  }
  log.set_severity(threshold);

  const auto format = list("--log-format");
  log.set_timestamp(std::find(format.begin(), format.end(), "timestamp") != format.end());
  log.set_line_info(std::find(format.begin(), format.end(), "line-info") != format.end());
  log.set_colors(may_use_colors(env, format));

  const auto file = list("--log-file");
  if (!file.empty()) sink.open_log_file(env.path(file.front()));
  const std::string folder = output_dir(args, env);
  if (!folder.empty()) sink.record(folder + "/log.txt", log);
}

}  // namespace polygraphy::cli
