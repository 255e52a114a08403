// One thread against several.
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

void run_check(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  const std::string& key = runs.switches().threads;
  if (key.empty()) return subject.not_applicable("the engine has no option for threads");
  const auto with = [&](const char* count) { return runs.run({.options = {{key, {count}}}}); };
  // An odd number divides work in other places.
  subject.compare("1 thread against 2, 3, 4 and 8",
                  [&](WorstDifference& difference, ConsistencyRow&) {
                    const std::vector<ArrayMap> one = with("1");
                    for (const char* count : {"2", "3", "4", "8"})
                      difference.compare(one, with(count));
                  });
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_threads = {
    .name = "threads",
    .summary = "one thread against several",
    .order = 5,
    .rounds = true,
    .run = run_check};

}  // namespace polygraphy
