#include "polygraphy/inputs/constraints/value_domain.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/numpy_text.h"

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

ValueDomain ValueDomain::exactly(const std::vector<int64_t>& values) {
  ValueDomain domain;
  for (const int64_t value : values) {
    domain.places.push_back({static_cast<double>(value), static_cast<double>(value)});
  }
  domain.whole = true;
  return domain;
}

ValueDomain ValueDomain::mask_of_rows() {
  ValueDomain domain = between(0, 1);
  domain.whole = domain.mask = true;
  return domain;
}

bool ValueDomain::free() const {
  return !bounds.bounded() && integers.empty() && strings.empty() &&
         std::none_of(places.begin(), places.end(), [](const auto& b) { return b.bounded(); });
}

ValueBounds ValueDomain::common() const {
  ValueBounds all = bounds;
  for (const ValueBounds& place : places) all = intersection(all, place);
  return all;
}

bool ValueDomain::narrow(const ValueDomain& other) {
  ValueDomain both = *this;
  both.bounds = intersection(bounds, other.bounds);
  if (!other.places.empty()) {
    if (both.places.empty()) {
      both.places = other.places;
    } else if (both.places.size() == other.places.size()) {
      for (size_t i = 0; i < both.places.size(); ++i) {
        both.places[i] = intersection(both.places[i], other.places[i]);
      }
    } else {
      both.bounds = intersection(both.bounds, other.common());
    }
  }
  for (const ValueBounds& place : both.places) {
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

std::string ValueDomain::text() const {
  if (!strings.empty() || !integers.empty()) {
    const size_t count = std::max(strings.size(), integers.size());
    return "one of " + std::to_string(count) + " known values";
  }
  if (mask && bounds == ValueBounds{0, 1}) return "0 or 1";
  if (places.empty()) return text_of(bounds);
  std::string text;
  for (const ValueBounds& place : places) {
    text += (text.empty() ? "(" : ", ") + text_of(intersection(place, bounds));
  }
  return text + ")";
}

}  // namespace polygraphy
