// The same input again: in the same session, and in a new one.
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

constexpr int kTimes = 3;

void run_check(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  subject.compare("the same input again", [&](WorstDifference& difference, ConsistencyRow&) {
    for (int i = 1; i < kTimes; ++i) difference.compare(runs.expected(), runs.infer_samples());
  });
  if (runs.engine().backend.empty()) return;
  subject.compare("in a new session", [&](WorstDifference& difference, ConsistencyRow&) {
    difference.compare(runs.expected(), runs.run({}));
  });
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_repeat = {
    .name = "repeat", .summary = "the same input again", .order = 1, .run = run_check};

}  // namespace polygraphy
