// How quantised layers change the tokens that logits prefer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/comparison/compare/metrics/shared/token_summary.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The outputs that are logits, with the axis of their vocabulary.
using LogitAxes = std::vector<std::pair<std::string, int64_t>>;
// Those with "logits" in their names.
LogitAxes logit_axes(const ArrayMap& outputs);

// The rows of all samples.
class TokenSums {
 public:
  explicit TokenSums(const LogitAxes& axes) : axes_(axes) {}
  // Of one sample. O(elements).
  void add(const ArrayMap& reference, const ArrayMap& observed);
  std::optional<TokenEffect> effect() const;

 private:
  const LogitAxes& axes_;
  TokenSummary summary_;
};

}  // namespace polygraphy
