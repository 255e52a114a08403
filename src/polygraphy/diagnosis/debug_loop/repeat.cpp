#include "polygraphy/diagnosis/debug_loop/repeat.h"

#include "base/log_modules.h"

namespace polygraphy {
namespace {

bool is_over(const Until& until, int64_t rounds, bool passed) {
  switch (until.kind) {
    case Until::Kind::kGood:
      return passed;
    case Until::Kind::kBad:
      return !passed;
    case Until::Kind::kCount:
      break;
  }
  return rounds >= until.count;
}

}  // namespace

void check_replayed(const ReplayEntry& entry, const OrderedMap<int64_t>& state) {
  for (const auto& [key, value] : state) {
    const int64_t* recorded = entry.state.find(key);
    if (recorded && *recorded == value) continue;
    throw Error(kForeignRound,
                "The debug replay belongs to another search: in its iteration " +
                    std::to_string(entry.iteration + 1) + ", " + key + " is " +
                    (recorded ? std::to_string(*recorded) : "unknown") + ", but here it is " +
                    std::to_string(value),
                "Use a replay of the same model, options and tool, or no replay.");
  }
}

bool run_round(DebugLoop& loop, Check& check, const std::function<bool()>& make,
               std::optional<int64_t> remaining, const OrderedMap<int64_t>& state) {
  DebugLoop::Round round(loop, remaining);
  CheckResult verdict;
  bool checked = true;
  if (const ReplayEntry* entry = round.replayed()) {
    check_replayed(*entry, state);
    verdict.passed = entry->success;
  } else {
    round.begin(state);
    checked = !make || make();
    if (checked) {
      round.made();
      verdict = check.run(loop.artifact());
    }
  }
  round.end(verdict, checked);
  return verdict.passed;
}

LoopSummary repeat(const Until& until, DebugLoop& loop,
                   const std::function<bool(int64_t round)>& run, Logger& log) {
  loop.begin();
  for (int64_t rounds = 1; !is_over(until, rounds, run(rounds - 1)); ++rounds) {
    if (rounds < kMostRounds) continue;
    log.warning(log_modules::kIterativeDebug,
                "Stopping after " + std::to_string(kMostRounds) + " iterations, the maximum.");
    break;
  }
  return loop.finish();
}

Upcoming<int64_t> rounds_after(const Until& until, int64_t round) {
  const int64_t end = until.kind == Until::Kind::kCount ? until.count : kMostRounds;
  return [next = round + 1, end]() mutable -> std::optional<int64_t> {
    return next < end ? std::optional(next++) : std::nullopt;
  };
}

}  // namespace polygraphy
