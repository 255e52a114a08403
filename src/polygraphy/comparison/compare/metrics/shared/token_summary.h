// Figures of many tokens.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/token_difference.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// Names of TokenSummary::figures().
inline constexpr std::string_view kTokenFigures =
    "kl_mean kl_median kl_90 kl_99 kl_99_9 kl_max delta_p_mean delta_p_rms delta_p_1 delta_p_99 "
    "same_top1 worst_rank tokens flips wrong first_flip error_excess";

// How far noise may move a row.
struct RowLimits {
  double margin = 0;  // by how much it may move the difference of the logits of both tokens
  double any = 0;     // and of any two tokens; 0: no noise is known
  double error = std::numeric_limits<double>::infinity();  // TokenDifference::error
};

// A token that changes.
struct Flip {
  int64_t row = 0;
  TokenDifference difference;
  RowLimits limits = {};

  // Noise does not explain it: the reference prefers its token by more than noise can move, or the
  // row is off by more than noise.
  bool wrong() const { return !(excess() <= 1); }
  // The margin or the error as a multiple of the limit, whichever is more; infinite for a row that
  // is not a distribution, and for any margin where none is allowed.
  double excess() const;
};

// A token that the reference may choose and the target never does.
struct LostToken {
  int64_t row = 0, token = 0;
};

class TokenSummary {
 public:
  // Of the next row that counts; `row`: its number.
  void add(int64_t row, const TokenDifference& difference, const RowLimits& limits);

  // kTokenFigures, in order: divergences in nats, changes of probability, their mean, root mean
  // square and percentiles (linear between neighbours); the fraction of equal tokens; the lowest
  // rank of a reference's token; counts; the number of the first row that flips; the error of the
  // logits of all rows together as a multiple of the limit; nullopt: no noise is known.
  Figures figures() const;
  std::optional<double> mean_divergence() const;  // nullopt: no row is a distribution
  double median_error() const;                    // of the logits of a row; 0: no rows
  const std::vector<double>& divergences() const { return divergences_; }  // of rows that are
  std::optional<double> same_top() const;                                  // nullopt: no rows
  const std::vector<Flip>& flips() const { return flips_; }
  int64_t tokens() const { return tokens_; }
  int64_t wrong() const;
  const std::optional<LostToken>& lost() const { return lost_; }  // the first one
  // The error of all rows together hardly varies: of many, half of RowLimits::error is allowed.
  double allowed_of_all() const;
  // Whether noise may move most rows' best token below the mean of all: then a near tie says
  // nothing.
  bool coarse() const { return 2 * undecided_ > tokens_; }

 private:
  int64_t tokens_ = 0, worst_rank_ = 0, undecided_ = 0;
  int64_t judged_ = 0;                                      // rows with known noise
  double errors_ = 0, allowed_ = 0;                         // theirs, sums of squares
  std::vector<double> divergences_, changes_, row_errors_;  // of rows that are distributions
  std::vector<Flip> flips_;
  std::optional<LostToken> lost_;
};

}  // namespace polygraphy
