#include "polygraphy/comparison/compare/compared_iterations.h"

#include <fmt/format.h>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"

namespace polygraphy {

std::string left_iterations(int64_t compared) {
  return fmt::format("only {} in all results",
                     compared == 1 ? "the first iteration is"
                                   : fmt::format("the first {} iterations are", compared));
}

void warn_of_left_iterations(int64_t compared, size_t results, const std::vector<int64_t>& ended,
                             Logger& log) {
  log.warning(
      log_modules::kComparator,
      fmt::format(
          "The provided streams have different numbers of iterations. Only the first {} "
          "iteration(s) -- present in all {} streams -- were compared; stream(s) at index {} ran "
          "out first.",
          compared, results, py_list_repr(ended)));
}

void log_pass_rate(const std::string& runner0, const std::string& runner1, int64_t passed,
                   int64_t total, Logger& log) {
  const double rate =
      total == 0 ? 100.0 : 100.0 * static_cast<double>(passed) / static_cast<double>(total);
  log.log(
      passed == total ? Severity::kFinish : Severity::kError, log_modules::kComparator,
      fmt::format("Accuracy Summary | {} vs. {} | Passed: {}/{} iterations | Pass Rate: {:.2f}%",
                  runner0, runner1, passed, total, rate));
}

}  // namespace polygraphy
