// A verdict as a message.
#pragma once

#include "base/log.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// Of a message with the verdict: an error, a finish, or a warning if nothing was compared.
inline Severity severity_of(const Verdict& verdict) {
  if (verdict.passed()) return Severity::kFinish;
  return verdict.agreement == Agreement::kNotCompared ? Severity::kWarning : Severity::kError;
}

}  // namespace polygraphy
