// The values of a tensor that a model can work with.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

// Both ends included.
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool empty() const { return !(low <= high); }
  bool bounded() const;  // one end or both are finite
  friend bool operator==(const ValueBounds&, const ValueBounds&) = default;
};
ValueBounds intersection(const ValueBounds& a, const ValueBounds& b);

struct ValueRange {
  ValueBounds bounds;
  // Of the elements at each index of the last axis, where they differ; else empty.
  std::vector<ValueBounds> per_column;
  bool whole = false;  // no fractions, whatever the type
  bool mask = false;   // 0 and 1, with a 1 at the front of each row: nothing is masked away whole
  bool distinct = false;  // no value twice, if there are enough
  // One of these instead of numbers within bounds.
  std::vector<int64_t> integers;
  std::vector<std::string> strings;
  // Its source: "indices of node 'embed' (Gather) into axis 0 of 'table' (30522)".
  std::string reason;

  static ValueRange between(double low, double high) {
    ValueRange range;
    range.bounds = {low, high};
    return range;
  }
  static ValueRange exactly(const std::vector<int64_t>& values);
  static ValueRange mask_of_rows();

  bool unconstrained() const;  // any value will do
  // The bounds for all elements, independent of position.
  ValueBounds common() const;
  // False, changing nothing, when both cannot be met.
  bool narrow(const ValueRange& other);
  // "[0, 30521]", "[2, 3]", "0 or 1".
  std::string text() const;
};

}  // namespace polygraphy
