// In a process of its own.
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  if (runs.engine().each_run_a_process)
    return subject.not_applicable("every inference is a process of its own anyway");
  subject.compare("in a process of its own", [&](WorstDifference& difference, ConsistencyRow&) {
    difference.compare(runs.expected(), runs.run({.own_process = true}));
  });
}

}  // namespace

extern const ConsistencyCheck consistency_check_process;
constinit const ConsistencyCheck consistency_check_process = {
    .name = "process", .summary = "in a process of its own", .order = 8, .run = run_check};

}  // namespace polygraphy
