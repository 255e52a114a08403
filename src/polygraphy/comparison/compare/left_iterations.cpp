#include "polygraphy/comparison/compare/left_iterations.h"

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

}  // namespace polygraphy
