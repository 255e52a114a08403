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

  // What to make of the next verdict of a check, in the order in which they count: the first
  // failure with a signature is the one that later ones are compared with.
  Verdict judge(Verdict verdict);
  // What judge() would say, without learning or saying anything.
  bool would_pass(const Verdict& verdict) const;
  // How the first failure went; empty: there was none that had something to say.
  const std::string& first() const { return first_; }

 private:
  bool is_other(const Verdict& verdict) const;

  OtherFailures others_;
  Logger& log_;
  std::string first_;
};

}  // namespace polygraphy
