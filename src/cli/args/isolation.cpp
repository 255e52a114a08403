#include "cli/args/isolation.h"

#include <cmath>

#include "base/error.h"

namespace polygraphy::cli {
namespace {

constexpr Option kOptions[] = {
    {.spellings = "--isolate",
     .help = "Give each runner a process of its own. One that crashes or runs out of memory is "
             "reported; what the others return is kept and compared.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--timeout",
     .help = "Kill a runner that takes longer than this many seconds to load the model or to run "
             "it once, and go on with the others. Implies --isolate.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs},
    {.spellings = "--mem-limit",
     .help = "Take no more memory than this (4G, 512M), all processes together: more outputs than "
             "fit are run and compared in groups.",
     .metavar = "BYTES",
     .origin = Origin::kOurs},
};

}  // namespace

constinit const ArgGroup args_isolation = {
    .title = "Isolation",
    .summary = "Engines that crash, hang or take all memory.",
    .options = kOptions};

std::optional<Isolation> resolve_isolation(const ParsedArgs& args, const Environment& env) {
  const auto timeout = args.number("--timeout");
  if (timeout && !(*timeout > 0 && std::isfinite(*timeout))) {
    throw Error("--timeout must be a positive number of seconds, but was: " +
                args.text("--timeout").value_or(""));
  }
  if (!args.has("--isolate") && !args.has("--use-subprocess") && !timeout) return std::nullopt;
  return Isolation{.program = env.executable, .timeout = timeout};
}

}  // namespace polygraphy::cli
