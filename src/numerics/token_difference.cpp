#include "numerics/token_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace polygraphy {
namespace {

// A row of logits as a distribution.
struct Distribution {
  size_t token = 0;  // the first of the largest logits
  double largest = 0;
  double log_sum = 0;  // log of the sum of exp(logit)
  bool valid = false;
};

Distribution distribution_of(std::span<const double> logits) {
  Distribution of;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i])) return of;
    if (logits[i] > logits[of.token]) of.token = i;
  }
  of.largest = logits[of.token];
  if (!std::isfinite(of.largest)) return of;
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - of.largest);
  of.log_sum = of.largest + std::log(sum);
  of.valid = true;
  return of;
}

}  // namespace

TokenDifference token_difference(std::span<const double> reference,
                                 std::span<const double> target) {
  TokenDifference difference;
  const Distribution p = distribution_of(reference), q = distribution_of(target);
  difference.comparable = p.valid && q.valid;
  if (!difference.comparable) return difference;
  const size_t token = p.token;
  double sum = 0, errors = 0, squares = 0;
  int64_t finite = 0, both = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    if (std::isfinite(reference[i])) {
      sum += reference[i];
      ++finite;
      if (std::isfinite(target[i])) {
        const double error = target[i] - reference[i];
        errors += error;
        squares += error * error;
        ++both;
      }
    }
    const double log_p = reference[i] - p.log_sum;
    const double probability = std::exp(log_p);
    if (probability > 0) {
      difference.divergence += probability * (log_p - (target[i] - q.log_sum));
      if (difference.lost < 0 && std::isinf(target[i])) difference.lost = static_cast<int64_t>(i);
    }
    difference.rank += target[i] > target[token] || (target[i] == target[token] && i < token);
  }
  difference.prominence = p.largest - sum / static_cast<double>(finite);
  difference.reference_token = static_cast<int64_t>(token);
  difference.target_token = static_cast<int64_t>(q.token);
  difference.margin = reference[token] - reference[q.token];
  if (both > 0) {
    const double mean = errors / static_cast<double>(both);
    difference.error = std::sqrt(std::max(0.0, squares / static_cast<double>(both) - mean * mean));
  }
  difference.probability = std::exp(reference[token] - p.log_sum);
  difference.probability_change = std::exp(target[token] - q.log_sum) - difference.probability;
  return difference;
}

}  // namespace polygraphy
