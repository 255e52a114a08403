#include "polygraphy/diagnosis/locate/pair_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace polygraphy {

NumberFormat pair_format(std::optional<NumberFormat> one, std::optional<NumberFormat> other) {
  if (!one || !other) return one ? *one : other.value_or(NumberFormat::kFloat32);
  const int digits0 = significant_digits(*one), digits1 = significant_digits(*other);
  // Of formats with the same digits, the later one in the list holds fewer numbers.
  if (digits0 == digits1) return std::max(*one, *other);
  return digits0 < digits1 ? *one : *other;
}

std::string format_text(const std::unordered_map<std::string, NumberFormat>& of_results,
                        NumberFormat engine) {
  NumberFormat coarsest = engine;
  size_t coarser = 0;
  for (const auto& [result, format] : of_results) {
    if (pair_format(engine, format) == engine) continue;
    coarsest = pair_format(coarsest, format);
    ++coarser;
  }
  if (2 * coarser >= of_results.size()) return std::string(name_of(coarsest));
  if (coarser == 0) return std::string(name_of(engine));
  return fmt::format("{} ({} in {} of {} results)", name_of(engine), name_of(coarsest), coarser,
                     of_results.size());
}

}  // namespace polygraphy
