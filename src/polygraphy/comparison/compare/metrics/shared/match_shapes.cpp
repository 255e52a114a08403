#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"

namespace polygraphy {
namespace {

// For each dimension of `to` the first dimension of `from` of that length which is not taken yet;
// empty when there is no such order.
std::vector<int64_t> permutation_between(const Shape& from, const Shape& to) {
  if (from.size() != to.size()) return {};
  std::vector<int64_t> permutation;
  std::vector<bool> taken(from.size());
  for (const int64_t length : to) {
    size_t i = 0;
    while (i < from.size() && (taken[i] || from[i] != length)) ++i;
    if (i == from.size()) return {};
    taken[i] = true;
    permutation.push_back(static_cast<int64_t>(i));
  }
  return permutation;
}

}  // namespace

std::optional<Array> match_shape(const Array& array, const Shape& shape, Logger& log) {
  if (array.shape() == shape) return array;
  if (array.size() != element_count(shape)) return std::nullopt;
  const std::string from_to = py_tuple_repr(array.shape()) + " to: " + py_tuple_repr(shape);
  if (const std::vector<int64_t> permutation = permutation_between(array.shape(), shape);
      !permutation.empty()) {
    log.info(log_modules::kUtil, "Permuted array of shape: " + from_to + " using permutation " +
                                     py_list_repr(permutation));
    return array.transposed(permutation);
  }
  log.info(log_modules::kUtil, "Reshaped array from shape: " + from_to);
  return array.contiguous_aligned().reshaped(shape);
}

bool match_shapes(const OutputPair& pair, bool check_shapes, Array& a, Array& b, Logger& log) {
  a = pair.a;
  b = pair.b;
  if (a.shape() == b.shape()) return true;
  if (!check_shapes) {
    if (std::optional<Array> matched = match_shape(pair.b, pair.a.shape(), log)) {
      b = std::move(*matched);
      return true;
    }
  }
  std::string shapes =
      "Note: Output shapes are " + py_tuple_repr(a.shape()) + " and " + py_tuple_repr(b.shape());
  if (!check_shapes)
    shapes +=
        ", with " + std::to_string(a.size()) + " and " + std::to_string(b.size()) + " elements";
  log.error(log_modules::kCompare, "FAILED | Output: `" + std::string(pair.name0) +
                                       "` | Will not compare outputs of different shapes.\n" +
                                       shapes + ".");
  if (check_shapes) {
    log.error(
        log_modules::kCompare,
        "Note: Use --no-shape-check or set check_shapes=False to attempt to compare values anyway.",
        Once::kYes);
  }
  return false;
}

void refuse_types(const OutputPair& pair, Logger& log) {
  log.error(log_modules::kCompare, "FAILED | Output: '" + std::string(pair.name0) +
                                       "' | Will not compare " +
                                       std::string(name_of(pair.a.dtype())) + " with " +
                                       std::string(name_of(pair.b.dtype())) + ".");
}

void announce_shape_matching(Logger& log) {
  log.info(log_modules::kCompare,
           "Strict shape checking disabled. Will attempt to match output shapes before comparisons",
           Once::kYes);
}

}  // namespace polygraphy
