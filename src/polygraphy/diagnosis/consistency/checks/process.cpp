// In a separate process.
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  if (runs.engine().backend.empty())
    return subject.not_applicable("every inference already runs in a separate process");
  subject.compare("in a separate process", [&](WorstDifference& difference, ConsistencyRow&) {
    difference.compare(runs.expected(), runs.run({.own_process = true}));
  });
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_process = {
    .name = "process", .summary = "in a separate process", .order = 8, .run = run_check};

}  // namespace polygraphy
