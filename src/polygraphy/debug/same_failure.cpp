#include "polygraphy/debug/same_failure.h"

#include "polygraphy/debug/log_modules.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

class SameFailure : public Check {
 public:
  SameFailure(Check& check, OtherFailures others, Logger& log)
      : check_(check), others_(others), log_(log) {}

  Verdict run(const std::string& artifact) override {
    Verdict verdict = check_.run(artifact);
    if (verdict.passed || verdict.signature.empty()) return verdict;
    if (first_.empty()) first_ = verdict.signature;
    if (verdict.signature == first_) return verdict;
    const bool counts = others_ == OtherFailures::kWarn;
    log_.warning(kIterativeDebug,
                 "The check fails in another way than the first time, so this may be another fault"
                 ".\n    First:  " +
                     first_ + "\n    Now:    " + verdict.signature +
                     (counts ? "\nTo let only the first way count as failure, use --same-failure, "
                               "--fail-regex or --fail-code."
                             : "\nIt counts as passed, because of --same-failure."));
    if (!counts) verdict = {.passed = true};
    return verdict;
  }

 private:
  Check& check_;
  OtherFailures others_;
  Logger& log_;
  std::string first_;
};

}  // namespace

std::unique_ptr<Check> same_failure(Check& check, OtherFailures others, Logger& log) {
  return std::make_unique<SameFailure>(check, others, log);
}

}  // namespace polygraphy
