#include "cli/args/isolation.h"

#include <cmath>
#include <string_view>

#include "base/error.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--isolate",
     .help = "Run each runner in its own process. A runner that crashes or runs out of memory is "
             "reported; the outputs of the others are kept and compared.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--timeout",
     .help = "Kill a runner that takes longer than this many seconds to load the model or to run "
             "it once, and continue with the others. Implies --isolate. A call of a function of a "
             "script fails after that time.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--mem-limit",
     .help =
         "Limit the memory of all processes together (512M, 4G, 1T). Outputs that do not fit are "
         "computed and compared in groups; a model runs in parts if its weights do not fit.",
     .metavar = "BYTES",
     .origin = Origin::kOurs},
};

}  // namespace

extern constinit const ArgGroup args_isolation = {
    .title = "Isolation",
    .summary = "Runners that crash, hang or use up the memory.",
    .options = kOptions};

std::optional<double> resolve_timeout(const ParsedArgs& args) {
  const auto timeout = args.number("--timeout");
  if (timeout && !(*timeout > 0 && std::isfinite(*timeout))) {
    throw Error("--timeout must be a positive number of seconds, but was: " +
                args.text("--timeout").value_or(""));
  }
  return timeout;
}

std::optional<uint64_t> resolve_memory_limit(const ParsedArgs& args) {
  const auto typed = args.text("--mem-limit");
  if (!typed) return std::nullopt;
  const int64_t bytes = parse_bytes(*typed);
  if (bytes == 0) {
    throw Error("--mem-limit " + *typed + " leaves no memory to run a model in",
                "Give a size, such as 4G. Without the option, there is no limit.");
  }
  return static_cast<uint64_t>(bytes);
}

bool wants_isolation(const ParsedArgs& args) {
  // Of the commands that resolve runners, each has one of these, or runs them in processes anyway.
  const auto given = [&](std::string_view key) { return args.syntax().find(key) && args.has(key); };
  return given("--isolate") || given("--use-subprocess");
}

}  // namespace polygraphy::cli
