// The exit code that says a verdict.
#pragma once

#include "cli/syntax/exit_codes.h"
#include "cli/syntax/parser.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy::cli {

// Of commands that only this program has.
inline int code_of(const Verdict& verdict) {
  const bool judged =
      verdict.agreement != Agreement::kFailed && verdict.agreement != Agreement::kNotCompared;
  return verdict.passed() ? kAgrees : judged ? kDiffers : kCouldNotRun;
}

// Of `run`: judged by a measure that the original does not have.
inline bool judged_by_ours(const Verdict& verdict, const ParsedArgs& args) {
  return verdict.tokens || args.has("--noise-floor") || args.has("--metric");
}

// Of `run`: as with the original, one runner passes. Measures of this program require a comparison.
inline bool run_passed(const Verdict& verdict, const ParsedArgs& args) {
  return judged_by_ours(verdict, args) ? verdict.passed() : verdict.acceptable();
}

}  // namespace polygraphy::cli
