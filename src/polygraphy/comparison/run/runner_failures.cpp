#include "polygraphy/comparison/run/runner_failures.h"

#include <algorithm>

#include "base/log_modules.h"
#include "base/os/system_error.h"
#include "polygraphy/comparison/run/runner_label.h"

namespace polygraphy {

size_t RunnerFailures::first_working() const {
  return static_cast<size_t>(std::find(failed_.begin(), failed_.end(), false) - failed_.begin());
}

void RunnerFailures::record(size_t index, const std::string& runner, std::string_view when,
                            const RunnerFailure& failure) {
  failed_[index] = true;
  const bool ends = options_.fail_fast || (options_.ends_run && options_.ends_run(failure));
  if (ends || first_working() == failed_.size()) throw;
  // Some messages name the runner already.
  std::string what = failure.what();
  if (what.starts_with(runner + " | ")) what.erase(0, runner.size() + 3);
  for (const std::string& hint : {failure.hint(), sandbox_hint(what)}) {
    if (!hint.empty()) what += "\n" + hint;
  }
  log_.error(log_modules::kComparator,
             runner_label(runner) + " | Failed in " + std::string(when) + ": " + what);
}

}  // namespace polygraphy
