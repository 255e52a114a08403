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
// By the options of a check by tokens; another check: those with "logits" in their names.
LogitAxes logit_axes(const ArrayMap& outputs, const SensitivityCheck& check);
// Whether a check is about tokens, or about what a task makes of outputs: then their divergence
// says more than the relative error.
bool decides_by_tokens(const SensitivityCheck& check);

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
