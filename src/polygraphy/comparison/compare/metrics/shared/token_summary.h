// Figures of many tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/token_difference.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// Names of TokenSummary::figures().
inline constexpr std::string_view kTokenFigures =
    "kl_mean kl_median kl_90 kl_99 kl_99_9 kl_max delta_p_mean delta_p_rms delta_p_1 delta_p_99 "
    "same_top1 worst_rank tokens flips wrong first_flip";

// A token that changes.
struct Flip {
  int64_t row = 0;
  TokenDifference difference;
  double allowed = 0;  // by how much noise may move the difference of both logits

  // Noise does not explain it. The reference prefers its token by more than noise can move, or the
  // numbers of the row moved farther than noise moves any.
  bool wrong() const {
    return !difference.comparable || !(difference.reference_margin <= allowed) ||
           !(difference.moved() <= 2 * allowed);
  }
  // The error in parts of what is allowed, at 1 for the largest that passes; infinite for a row
  // that is no distribution.
  double excess() const;
};

class TokenSummary {
 public:
  // Of the next row.
  void add(const TokenDifference& difference, double allowed);

  // kTokenFigures, in order: divergences in nats, changes of probability, their mean, root mean
  // square and percentiles (linear between neighbours); the fraction of equal tokens; the lowest
  // rank of a reference's token; counts; the number of the first row that flips.
  Figures figures() const;
  const std::vector<Flip>& flips() const { return flips_; }
  int64_t tokens() const { return tokens_; }
  int64_t wrong() const;

 private:
  int64_t tokens_ = 0, worst_rank_ = 0;
  std::vector<double> divergences_, changes_;  // of rows that are distributions
  std::vector<Flip> flips_;
};

}  // namespace polygraphy
