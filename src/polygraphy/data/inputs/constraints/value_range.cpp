#include "polygraphy/data/inputs/constraints/value_range.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

std::string number(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value)
             ? std::to_string(static_cast<int64_t>(value))
             : format_g(value, 6);
}

std::string text_of(const ValueBounds& bounds) {
  return bounds.low == bounds.high ? number(bounds.low)
                                   : "[" + number(bounds.low) + ", " + number(bounds.high) + "]";
}

template <typename T>
bool narrow_list(std::vector<T>& own, const std::vector<T>& other) {
  if (other.empty()) return true;
  if (own.empty()) {
    own = other;
    return true;
  }
  std::vector<T> both;
  for (const T& item : own) {
    if (std::find(other.begin(), other.end(), item) != other.end()) both.push_back(item);
  }
  if (both.empty()) return false;
  own = std::move(both);
  return true;
}

}  // namespace

bool ValueBounds::bounded() const {
  return std::isfinite(low) || std::isfinite(high);
}

ValueBounds intersection(const ValueBounds& a, const ValueBounds& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

ValueRange ValueRange::exactly(const std::vector<int64_t>& values) {
  ValueRange range;
  for (const int64_t value : values) {
    range.per_column.push_back({static_cast<double>(value), static_cast<double>(value)});
  }
  range.whole = true;
  return range;
}

ValueRange ValueRange::mask_of_rows() {
  ValueRange range = between(0, 1);
  range.whole = range.mask = true;
  return range;
}

bool ValueRange::unconstrained() const {
  return !bounds.bounded() && integers.empty() && strings.empty() &&
         std::none_of(per_column.begin(), per_column.end(),
                      [](const auto& b) { return b.bounded(); });
}

ValueBounds ValueRange::common() const {
  ValueBounds all = bounds;
  for (const ValueBounds& column : per_column) all = intersection(all, column);
  return all;
}

bool ValueRange::narrow(const ValueRange& other) {
  ValueRange both = *this;
  both.bounds = intersection(bounds, other.bounds);
  if (!other.per_column.empty()) {
    if (both.per_column.empty()) {
      both.per_column = other.per_column;
    } else if (both.per_column.size() == other.per_column.size()) {
      for (size_t i = 0; i < both.per_column.size(); ++i) {
        both.per_column[i] = intersection(both.per_column[i], other.per_column[i]);
      }
    } else {
      both.bounds = intersection(both.bounds, other.common());
    }
  }
  for (const ValueBounds& place : both.per_column) {
    if (intersection(place, both.bounds).empty()) return false;
  }
  if (both.bounds.empty()) return false;
  if (!narrow_list(both.integers, other.integers) || !narrow_list(both.strings, other.strings)) {
    return false;
  }
  if (!both.integers.empty()) {
    std::erase_if(both.integers, [&](int64_t value) {
      const auto number = static_cast<double>(value);
      return number < both.bounds.low || number > both.bounds.high;
    });
    if (both.integers.empty()) return false;
  }
  both.whole |= other.whole;
  both.mask |= other.mask;
  both.distinct |= other.distinct;
  if (!other.reason.empty()) both.reason += (both.reason.empty() ? "" : "; ") + other.reason;
  *this = std::move(both);
  return true;
}

std::string ValueRange::text() const {
  if (!strings.empty() || !integers.empty()) {
    const size_t count = std::max(strings.size(), integers.size());
    return "one of " + std::to_string(count) + " known values";
  }
  if (mask && bounds == ValueBounds{0, 1}) return "0 or 1";
  if (per_column.empty()) return text_of(bounds);
  std::string text;
  for (const ValueBounds& column : per_column) {
    text += (text.empty() ? "(" : ", ") + text_of(intersection(column, bounds));
  }
  return text + ")";
}

}  // namespace polygraphy
