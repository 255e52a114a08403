#include "polygraphy/diagnosis/sensitivity/token_effect.h"

#include <limits>

#include "polygraphy/comparison/compare/metrics/shared/logits.h"
#include "polygraphy/comparison/compare/metrics/shared/token_rows.h"

namespace polygraphy {

LogitAxes logit_axes(const ArrayMap& outputs) {
  LogitAxes axes;
  for (const std::string& name : named_logits(outputs)) {
    if (may_be_logits(*outputs.find(name))) axes.emplace_back(name, -1);
  }
  return axes;
}

void TokenSums::add(const ArrayMap& reference, const ArrayMap& observed) {
  for (const auto& [name, axis] : axes_) {
    const Array *one = reference.find(name), *other = observed.find(name);
    if (!one || !other || one->shape() != other->shape()) continue;
    const std::optional<LogitRows> noise;
    add_rows({LogitRows(*one, axis), LogitRows(*other, axis), noise}, summary_);
  }
}

std::optional<TokenEffect> TokenSums::effect() const {
  if (summary_.tokens() == 0) return std::nullopt;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  return TokenEffect{.divergence = summary_.mean_divergence().value_or(kUnknown),
                     .same_top = summary_.same_top().value_or(kUnknown)};
}

}  // namespace polygraphy
