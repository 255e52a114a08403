#include "polygraphy/diagnosis/debug_loop/repeat.h"

#include "base/log_modules.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostRounds = 100'000;

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

}  // namespace

bool run_round(DebugLoop& loop, Check& check, const std::function<bool()>& make,
               std::optional<int64_t> remaining, const OrderedMap<int64_t>& state) {
  DebugLoop::Round round(loop, remaining);
  CheckResult verdict;
  bool checked = true;
  if (const ReplayEntry* entry = round.replayed()) {
    check_replayed(*entry, state);
    verdict.passed = entry->success;
  } else if (make && !make()) {
    verdict.passed = checked = false;
  } else {
    round.made(state);
    verdict = check.run(loop.artifact());
  }
  round.end(verdict, checked);
  return verdict.passed;
}

LoopSummary repeat(const Until& until, DebugLoop& loop, Check& check, Logger& log,
                   const std::function<bool()>& make) {
  loop.begin();
  for (int64_t rounds = 1; !is_over(until, rounds, run_round(loop, check, make)); ++rounds) {
    if (rounds < kMostRounds) continue;
    log.warning(log_modules::kIterativeDebug,
                "Stopping after " + std::to_string(kMostRounds) + " iterations, the maximum.");
    break;
  }
  return loop.finish();
}

}  // namespace polygraphy
