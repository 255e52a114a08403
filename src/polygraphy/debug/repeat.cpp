#include "polygraphy/debug/repeat.h"

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

bool run_round(DebugLoop& loop, Check& check, const std::function<bool()>& make) {
  DebugLoop::Round round(loop);
  Verdict verdict;
  bool checked = true;
  if (const ReplayEntry* entry = round.replayed()) {
    verdict.passed = entry->success;
  } else if (make && !make()) {
    verdict.passed = checked = false;
  } else {
    round.made({});
    verdict = check.run(loop.artifact());
  }
  round.end(verdict, checked);
  return verdict.passed;
}

}  // namespace

LoopSummary repeat(const Until& until, DebugLoop& loop, Check& check, Logger& log,
                   const std::function<bool()>& make) {
  loop.begin();
  for (int64_t rounds = 1; !is_over(until, rounds, run_round(loop, check, make)); ++rounds) {
    if (rounds < kMostRounds) continue;
    log.warning(log_modules::kIterativeDebug, "Stopping after " + std::to_string(kMostRounds) +
                                                  " iterations, the most there can be.");
    break;
  }
  return loop.finish();
}

}  // namespace polygraphy
