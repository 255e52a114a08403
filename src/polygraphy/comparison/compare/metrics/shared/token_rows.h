// Rows of logits on two sides, compared token by token.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "polygraphy/comparison/compare/metrics/shared/logits.h"
#include "polygraphy/comparison/compare/metrics/shared/token_summary.h"

namespace polygraphy {

// Of the noise's threshold, in RowLimits::error: the error of many numbers together varies less
// than that of two.
inline constexpr double kOfRow = 2.0 / 3;

struct TokenSides {
  const LogitRows& reference;
  const LogitRows& target;  // of the same form
  // The error that each logit may have; a flip that `threshold` times it explains is a near tie.
  const std::optional<LogitRows>& noise;
  double margin = 0;  // by which the reference may prefer another token, whatever the noise
  double threshold = 1;
  double any = 0;                                // RowLimits::any where no noise is known
  std::function<bool(int64_t row)> counts = {};  // empty: all rows do
};

// Adds all rows that count, in their order. O(elements); several threads.
void add_rows(const TokenSides& sides, TokenSummary& summary);

}  // namespace polygraphy
