// `polygraphy debug repeat`.
#include "base/log_modules.h"
#include "cli/args/debugging.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_pass_fail, kCommandCheckOptions},
    {&args_artifact_sorting},
    {&args_iterative_debugging, "--iter-info --until --load-debug-replay --save-debug-replay"},
};

int run_command(Session& session) {
  const Until until = resolve_until(session.args());
  const LoopOptions options = resolve_loop(session.args());
  const auto check = make_check(session)(session.log(), cancel_token(session.env()));
  if (options.artifacts.paths.empty()) {
    session.log().warning(log_modules::kIterativeDebug,
                          "Without `--artifacts`, the files of the iterations are not kept.");
  }
  session.announce();
  const DeferredInterrupts interrupts(session.env(), DeferredSignals::kAll);
  DebugLoop loop(options, session.log());
  repeat(until, loop, [&](int64_t) { return run_round(loop, *check); }, session.log());
  interrupts.check();
  return 0;
}

}  // namespace

extern constinit const Command command_debug_repeat = {
    .path = "debug repeat",
    .summary = "Run a command repeatedly, and sort the files that it writes.",
    .description =
        "Run a command repeatedly, until it passes, fails, or has run N times, and sort the files "
        "that it writes into good and bad ones.",
    .examples =
        "polygraphy debug repeat --until 5 --check ./check.sh\n"
        "polygraphy debug repeat --until bad --artifacts log.txt --check ./check.sh",
    .order = 3,
    .groups = kGroups,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
