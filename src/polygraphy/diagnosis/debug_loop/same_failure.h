// Keeping to one failure: a smaller model that fails differently is not the answer to the question.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"

namespace polygraphy {

enum class OtherFailures {
  kWarn,  // they count, with a warning
  kPass,  // they do not: the round passes, and the warning says so
};

// Failures without a signature are never compared.
class SameFailure {
 public:
  SameFailure(OtherFailures others, Logger& log) : others_(others), log_(log) {}

  // Takes verdicts in the order in which they count. A failure unlike the first one becomes a
  // passed verdict, or causes a warning.
  CheckResult judge(CheckResult verdict);
  // Whether judge() would return a passed verdict; learns and logs nothing.
  bool would_pass(const CheckResult& verdict) const;
  // The signature of the first failure; empty: no failure had one.
  const std::string& first() const { return first_; }

 private:
  bool is_other(const CheckResult& verdict) const;

  OtherFailures others_;
  Logger& log_;
  std::string first_;
};

}  // namespace polygraphy
