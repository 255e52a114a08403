#include "polygraphy/comparison/compare/metrics/shared/string_equality.h"

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "numerics/difference.h"
#include "numerics/statistics.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"

namespace polygraphy {
namespace {

bool are_equal(const Array& a, const Array& b, const std::string& name, Logger& log) {
  const std::span<const std::string> left = a.strings(), right = b.strings();
  size_t different = 0, first = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (different == 0) first = i;
    ++different;
  }
  const std::string count =
      std::to_string(different) + " of " + std::to_string(left.size()) + " strings";
  log.info(log_modules::kCompare, "Error Metrics: " + name);
  {
    Logger::Indent deeper(log);
    std::string text = "Mismatched elements: " + count;
    if (different > 0) {
      text += " | First at " + index_text(static_cast<int64_t>(first), a.shape()) + ": " +
              py_str_repr(left[first]) + " and " + py_str_repr(right[first]);
    }
    log.info(log_modules::kCompare, text);
  }
  if (different == 0) {
    log.finish(log_modules::kCompare, "PASSED | Output: '" + name + "' | All strings are equal");
    return true;
  }
  log.error(log_modules::kCompare, "FAILED | Output: '" + name + "' | " + count + " differ");
  return false;
}

}  // namespace

std::optional<bool> compare_strings(const OutputPair& pair, const Array& a, const Array& b,
                                    Logger& log) {
  if (Difference::possible(a.dtype(), b.dtype())) return std::nullopt;
  if (a.dtype() == DataType::kString && b.dtype() == DataType::kString)
    return are_equal(a, b, std::string(pair.name0), log);
  refuse_types(pair, log);
  return false;
}

}  // namespace polygraphy
