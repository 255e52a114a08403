#include "polygraphy/diagnosis/debug_loop/same_failure.h"

#include "base/log_modules.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

}  // namespace

bool SameFailure::is_other(const CheckResult& verdict) const {
  return !verdict.passed && !verdict.signature.empty() && !first_.empty() &&
         verdict.signature != first_;
}

bool SameFailure::would_pass(const CheckResult& verdict) const {
  return verdict.passed || (others_ == OtherFailures::kPass && is_other(verdict));
}

CheckResult SameFailure::judge(CheckResult verdict) {
  if (!verdict.passed && first_.empty()) first_ = verdict.signature;
  if (!is_other(verdict)) return verdict;
  const bool counts = others_ == OtherFailures::kWarn;
  log_.warning(
      kIterativeDebug,
      "The check fails differently from the first time; the cause may be different.\n    First:  " +
          first_ + "\n    Now:    " + verdict.signature +
          (counts ? "\nTo count only the first failure, use --same-failure, --fail-regex or "
                    "--fail-code."
                  : "\nIt counts as passed: only failures like the first one count."));
  if (!counts) verdict = {.passed = true};
  return verdict;
}

}  // namespace polygraphy
