// Results of other programs among those that are compared.
#pragma once

#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/dump_lint/dump_lint.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

class ForeignResults {
 public:
  explicit ForeignResults(Logger& log) : lint_(log) {}

  // Warns of their traps (dump_lint/), each beside its neighbours. Reads results of other programs,
  // and what is compared with them.
  void check(const std::vector<IterationResult>& results);
  // Zeros on both sides agree without a comparison: says so in a verdict that agrees.
  void qualify(Verdict& verdict) const;

 private:
  DumpLint lint_;
};

}  // namespace polygraphy
