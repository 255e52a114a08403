// How the next token changes between two rows of logits.
#pragma once

#include <cstdint>
#include <span>

namespace polygraphy {

// The figures are those of llama.cpp (`llama-perplexity --kl-divergence`), in float64, with the
// reference's own token in the place of the next token of a text. Natural logarithms.
struct TokenDifference {
  // sum of p * (log p - log q): Kullback-Leibler divergence of the target's distribution q from the
  // reference's, p. At least 0, but for rounding; infinite where q is 0 and p is not.
  double divergence = 0;
  double probability = 0;                         // of the reference's token, by the reference
  double probability_change = 0;                  // the same by the target, minus that
  int64_t reference_token = 0, target_token = 0;  // the first of the largest logits
  int64_t rank = 0;  // of the reference's token among the target's logits; 0 is the largest
  // The reference's logit of its token minus that of the target's token: at least 0.
  double margin = 0;
  // Root mean square of the differences of logits, but for what all have in common. Of tokens whose
  // logits are finite on both sides.
  double error = 0;
  // The first token to which the target gives no probability (a logit of -inf) and the reference
  // some; -1: none. Then the divergence is infinite.
  int64_t lost = -1;
  // The reference's largest logit minus the mean of its finite ones.
  double prominence = 0;
  // false: a row has a NaN, a positive infinity, or nothing but negative infinities, so that it is
  // not a distribution. The other members are meaningless.
  bool comparable = true;

  bool flips() const { return reference_token != target_token; }
};

// Of rows of equal sizes, at least 1. O(size), without allocation.
TokenDifference token_difference(std::span<const double> reference, std::span<const double> target);

}  // namespace polygraphy
