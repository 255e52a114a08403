#include "polygraphy/comparison/compare/text_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <span>

#include "base/error.h"
#include "numerics/token_difference.h"
#include "polygraphy/comparison/compare/metrics/shared/decoded_texts.h"
#include "polygraphy/comparison/compare/metrics/shared/logits.h"
#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy {
namespace {

// Cross entropy of a token: minus the log of its probability.
double loss_of(std::span<const double> logits, int64_t token) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  return largest + std::log(sum) - logits[static_cast<size_t>(token)];
}

// A window of one runner.
struct Window {
  Array tokens;
  LogitRows logits;
  std::vector<double> losses = {};  // of the tokens that count
};

Window window_of(const IterationResult& result) {
  const auto output = [&](const std::string& name) {
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      if (result.outputs.at_index(i).first == name) return result.output(i);
    }
    throw Error(
        fmt::format("The outputs of {} have no '{}' to score a text by", result.runner_name, name),
        "Give outputs of a run of the text.");
  };
  const std::vector<std::string> named = named_logits(result.outputs);
  const Array tokens = output(std::string(kTexts));
  const Array logits = output(named.empty() ? "logits" : named.front());
  if (tokens.rank() != 2 || tokens.dtype() != DataType::kInt64 || tokens.shape()[0] != 1 ||
      !may_be_logits(logits) || logits.rank() != 3 || logits.shape()[0] != 1 ||
      logits.shape()[1] + 1 != tokens.shape()[1]) {
    throw Error(fmt::format("{} returns no logits of each token of the text", result.runner_name),
                "Export the model with the logits of all positions.");
  }
  return {.tokens = tokens, .logits = LogitRows(logits, -1)};
}

}  // namespace

void TextScores::Sums::add(double value) {
  ++number;
  sum += value;
  squares += value * value;
}

Estimate TextScores::Sums::mean() const {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (number == 0) return {.value = kUnknown, .error = kUnknown};
  const auto count = static_cast<double>(number);
  const double mean = sum / count, variance = squares / count - mean * mean;
  return {.value = mean,
          .error = number < 2 ? kUnknown : std::sqrt(std::max(variance, 0.0) / (count - 1))};
}

void TextScores::add(const std::vector<IterationResult>& results) {
  std::vector<Window> windows;
  std::vector<std::string> names;
  std::vector<bool> saved;
  for (const IterationResult& result : results) {
    if (result.failed) continue;
    windows.push_back(window_of(result));
    names.push_back(without_times(result.runner_name) +
                    (result.file.empty() ? "" : " (" + result.file + ")"));
    saved.push_back(result.saved);
  }
  if (runners_.empty()) {
    for (size_t i = 0; i < names.size(); ++i) {
      runners_.push_back({.name = names[i]});
      if (i == 0) continue;
      const bool turned = saved[i] && !saved[i - 1];
      pairs_.push_back({.reference = names[turned ? i : i - 1],
                        .target = names[turned ? i - 1 : i],
                        .turned = turned});
    }
  }
  if (names.size() != runners_.size()) return;  // a runner has failed: the verdict says so
  ++windows_;
  const int64_t positions = windows.empty() ? 0 : windows.front().logits.rows();
  std::deque<LogitRows::Reader> readers;
  for (size_t i = 0; i < windows.size(); ++i) {
    const Window& window = windows[i];
    for (int64_t at = 0; at < positions; ++at) {
      if (window.logits.rows() == positions && window.logits.size() == windows[0].logits.size() &&
          window.tokens.get_int64(at) == windows[0].tokens.get_int64(at))
        continue;
      throw Error(
          fmt::format("{} and {} ran other texts, or have other vocabularies", names[0], names[i]),
          "Give outputs of a run of the same text, in the same windows.");
    }
    readers.emplace_back(window.logits);
  }
  for (int64_t at = positions / 2; at + 1 < positions; ++at) {
    std::vector<std::vector<double>> rows;
    for (size_t i = 0; i < windows.size(); ++i) {
      const std::span<const double> row = readers[i].read(at);
      rows.emplace_back(row.begin(), row.end());
      windows[i].losses.push_back(loss_of(row, windows[i].tokens.get_int64(at + 1)));
      runners_[i].losses.add(windows[i].losses.back());
      if (i == 0) continue;
      Difference& pair = pairs_[i - 1];
      const size_t reference = pair.turned ? i : i - 1, target = pair.turned ? i - 1 : i;
      const TokenDifference difference = token_difference(rows[reference], rows[target]);
      pair.divergences.add(difference.comparable ? difference.divergence
                                                 : std::numeric_limits<double>::quiet_NaN());
      pair.same.add(difference.comparable && !difference.flips() ? 1 : 0);
      pair.losses.add(windows[target].losses.back() - windows[reference].losses.back());
    }
  }
}

TextFigures TextScores::figures() const {
  // e to the power of a mean, with the error to the first order.
  const auto power = [](const Estimate& mean) {
    const double value = std::exp(mean.value);
    return Estimate{.value = value, .error = value * mean.error};
  };
  TextFigures figures{.windows = windows_,
                      .tokens = runners_.empty() ? 0 : runners_.front().losses.number};
  for (const Loss& runner : runners_)
    figures.runners.push_back({.name = runner.name, .perplexity = power(runner.losses.mean())});
  for (const Difference& pair : pairs_) {
    figures.pairs.push_back({.reference = pair.reference,
                             .target = pair.target,
                             .divergence = pair.divergences.mean(),
                             .same_top1 = pair.same.mean(),
                             .perplexity_ratio = power(pair.losses.mean())});
  }
  return figures;
}

}  // namespace polygraphy
