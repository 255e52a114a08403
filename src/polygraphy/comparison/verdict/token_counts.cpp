#include "polygraphy/comparison/verdict/token_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polygraphy {

namespace {

std::string text_of(const TokenCounts& counts) {
  std::string text = counts.flips == 0 ? fmt::format("{} tokens, none flips", counts.tokens)
                                       : fmt::format("{} of {} tokens flip{}", counts.flips,
                                                     counts.tokens, counts.flips == 1 ? "s" : "");
  if (counts.flips == 0) return counts.tokens == 1 ? "1 token, which does not flip" : text;
  if (counts.wrong == 0)
    return text + (counts.flips == 1 ? ", at a near tie" : ", all at near ties");
  if (counts.noise_known)
    text += fmt::format(", {} at near ties, {} {} wrong", counts.near_ties(), counts.wrong,
                        counts.wrong == 1 ? "is" : "are");
  return text + ", the first is " + counts.first_wrong;
}

}  // namespace

std::string to_text(const TokenCounts& counts) {
  const std::string text = text_of(counts);
  return counts.also.empty() ? text : text + "; " + counts.also;
}

void add(TokenCounts& whole, const TokenCounts& part) {
  if (whole.first_wrong.empty()) whole.first_wrong = part.first_wrong;
  if (whole.also.empty()) whole.also = part.also;
  whole.noise_known = whole.tokens == 0 ? part.noise_known : whole.noise_known && part.noise_known;
  whole.tokens += part.tokens;
  whole.flips += part.flips;
  whole.wrong += part.wrong;
  whole.all_flips.insert(whole.all_flips.end(), part.all_flips.begin(), part.all_flips.end());
  whole.distributions += part.distributions;
  whole.divergences += part.divergences;
  whole.squared_divergences += part.squared_divergences;
}

std::optional<double> TokenCounts::mean_divergence() const {
  if (distributions == 0) return std::nullopt;
  return divergences / static_cast<double>(distributions);
}

std::optional<double> TokenCounts::divergence_error() const {
  if (distributions < 2 || !std::isfinite(squared_divergences)) return std::nullopt;
  const auto number = static_cast<double>(distributions);
  const double mean = divergences / number;
  const double variance = squared_divergences / number - mean * mean;
  return std::sqrt(std::max(variance, 0.0) / (number - 1));
}

}  // namespace polygraphy
