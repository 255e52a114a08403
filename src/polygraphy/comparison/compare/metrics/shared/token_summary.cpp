#include "polygraphy/comparison/compare/metrics/shared/token_summary.h"

#include <algorithm>
#include <cmath>

namespace polygraphy {
namespace {

// Of sorted numbers, linear between neighbours; nullopt of none.
std::optional<double> percentile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return std::nullopt;
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  // Infinity times 0 is NaN.
  if (part == 0) return sorted[below];
  return (1 - part) * sorted[below] + part * sorted[above];
}

std::optional<double> mean(const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

std::optional<double> root_mean_square(const std::vector<double>& numbers) {
  std::vector<double> squares;
  for (const double number : numbers) squares.push_back(number * number);
  const auto square = mean(squares);
  return square ? std::optional(std::sqrt(*square)) : std::nullopt;
}

}  // namespace

double Flip::excess() const {
  if (!difference.comparable) return std::numeric_limits<double>::infinity();
  const double of_error = difference.error / limits.error;
  if (difference.margin == 0) return of_error;
  return std::max(difference.margin / limits.margin, of_error);
}

void TokenSummary::add(int64_t row, const TokenDifference& difference, const RowLimits& limits) {
  if (!difference.comparable || difference.flips()) flips_.push_back({row, difference, limits});
  if (difference.comparable && difference.lost >= 0 && !lost_)
    lost_ = {.row = row, .token = difference.lost};
  ++tokens_;
  if (!difference.comparable) return;
  undecided_ += limits.any > 0 && limits.any >= difference.prominence;
  divergences_.push_back(difference.divergence);
  changes_.push_back(difference.probability_change);
  row_errors_.push_back(difference.error);
  worst_rank_ = std::max(worst_rank_, difference.rank);
  if (std::isfinite(limits.error)) {
    ++judged_;
    errors_ += difference.error * difference.error;
    allowed_ += limits.error * limits.error;
  }
}

double TokenSummary::allowed_of_all() const {
  return (1 + 1 / std::sqrt(static_cast<double>(std::max<int64_t>(judged_, 1)))) / 2;
}

std::optional<double> TokenSummary::mean_divergence() const {
  return mean(divergences_);
}

double TokenSummary::median_error() const {
  std::vector<double> errors = row_errors_;
  std::ranges::sort(errors);
  return percentile(errors, 0.5).value_or(0);
}

std::optional<double> TokenSummary::same_top() const {
  if (tokens_ == 0) return std::nullopt;
  return 1 - static_cast<double>(flips_.size()) / static_cast<double>(tokens_);
}

int64_t TokenSummary::wrong() const {
  return std::count_if(flips_.begin(), flips_.end(), [](const Flip& flip) { return flip.wrong(); });
}

Figures TokenSummary::figures() const {
  std::vector<double> divergences = divergences_, changes = changes_;
  std::ranges::sort(divergences);
  std::ranges::sort(changes);
  // Means in the order of rows.
  return {mean_divergence(),
          percentile(divergences, 0.5),
          percentile(divergences, 0.9),
          percentile(divergences, 0.99),
          percentile(divergences, 0.999),
          percentile(divergences, 1),
          mean(changes_),
          root_mean_square(changes_),
          percentile(changes, 0.01),
          percentile(changes, 0.99),
          same_top(),
          static_cast<double>(worst_rank_),
          static_cast<double>(tokens_),
          static_cast<double>(flips_.size()),
          static_cast<double>(wrong()),
          flips_.empty() ? std::nullopt : std::optional(static_cast<double>(flips_.front().row)),
          judged_ == 0 || allowed_ == 0
              ? std::nullopt
              : std::optional(std::sqrt(errors_ / allowed_) / allowed_of_all())};
}

}  // namespace polygraphy
