#include "polygraphy/diagnosis/debug_loop/same_failure.h"

#include "base/log_modules.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

}  // namespace

bool SameFailure::is_other(const Verdict& verdict) const {
  return !verdict.passed && !verdict.signature.empty() && !first_.empty() &&
         verdict.signature != first_;
}

bool SameFailure::would_pass(const Verdict& verdict) const {
  return verdict.passed || (others_ == OtherFailures::kPass && is_other(verdict));
}

Verdict SameFailure::judge(Verdict verdict) {
  if (!verdict.passed && first_.empty()) first_ = verdict.signature;
  if (!is_other(verdict)) return verdict;
  const bool counts = others_ == OtherFailures::kWarn;
  log_.warning(
      kIterativeDebug,
      "The check fails in another way than the first time, so this may be another fault"
      ".\n    First:  " +
          first_ + "\n    Now:    " + verdict.signature +
          (counts ? "\nTo let only the first way count as failure, use --same-failure, "
                    "--fail-regex or --fail-code."
                  : "\nIt counts as passed: only failures like the first one are looked for."));
  if (!counts) verdict = {.passed = true};
  return verdict;
}

}  // namespace polygraphy
