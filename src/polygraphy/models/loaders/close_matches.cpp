#include "polygraphy/models/loaders/close_matches.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace polygraphy {
namespace {

struct Block {
  size_t a, b, length;
};

// The longest common substring; the first one in `a`, then in `b`, among equals.
Block longest_block(std::string_view a, std::string_view b) {
  Block best{0, 0, 0};
  std::vector<size_t> lengths(b.size() + 1, 0), previous(b.size() + 1, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    std::swap(lengths, previous);
    for (size_t j = 0; j < b.size(); ++j) {
      lengths[j + 1] = a[i] == b[j] ? previous[j] + 1 : 0;
      if (lengths[j + 1] > best.length) {
        best = {i + 1 - lengths[j + 1], j + 1 - lengths[j + 1], lengths[j + 1]};
      }
    }
  }
  return best;
}

}  // namespace

double similarity(std::string_view a, std::string_view b) {
  if (a.empty() && b.empty()) return 1;
  size_t matching = 0;
  std::vector<std::pair<std::string_view, std::string_view>> pending{{a, b}};
  while (!pending.empty()) {
    const auto [left, right] = pending.back();
    pending.pop_back();
    const Block block = longest_block(left, right);
    if (block.length == 0) continue;
    matching += block.length;
    pending.emplace_back(left.substr(0, block.a), right.substr(0, block.b));
    pending.emplace_back(left.substr(block.a + block.length), right.substr(block.b + block.length));
  }
  return 2.0 * static_cast<double>(matching) / static_cast<double>(a.size() + b.size());
}

std::vector<std::string> close_matches(std::string_view word,
                                       std::span<const std::string> candidates) {
  constexpr double kCutOff = 0.6;
  constexpr size_t kMost = 5;
  std::vector<std::pair<double, std::string>> scored;
  for (const std::string& candidate : candidates) {
    // The original compares in this order; the figure is not symmetric.
    const double score = similarity(candidate, word);
    if (score >= kCutOff) scored.emplace_back(score, candidate);
  }
  std::sort(scored.rbegin(), scored.rend());
  if (scored.size() > kMost) scored.resize(kMost);
  std::vector<std::string> names;
  for (auto& entry : scored) names.push_back(std::move(entry.second));
  return names;
}

}  // namespace polygraphy
