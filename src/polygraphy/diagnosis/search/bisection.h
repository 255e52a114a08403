// Where a bisection asks.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

inline size_t middle_of(size_t low, size_t high) {
  return low + (high - low) / 2;
}

// The possible next steps of a bisection after the middle of this range: the middles of its halves,
// then those of their halves.
inline Upcoming<size_t> middles_after(size_t low, size_t high) {
  std::deque<std::pair<size_t, size_t>> ranges;
  const auto add_halves = [](auto& to, size_t from, size_t end) {
    const size_t middle = middle_of(from, end);
    if (middle - from > 1) to.emplace_back(from, middle);
    if (end - middle > 1) to.emplace_back(middle, end);
  };
  add_halves(ranges, low, high);
  return [ranges, add_halves]() mutable -> std::optional<size_t> {
    if (ranges.empty()) return std::nullopt;
    const auto [from, end] = ranges.front();
    ranges.pop_front();
    add_halves(ranges, from, end);
    return middle_of(from, end);
  };
}

}  // namespace polygraphy
