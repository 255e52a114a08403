// The elements in which two arrays differ by more than the tolerances, for `-vv` and `-vvv`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "numerics/difference.h"

namespace polygraphy {

// The places of mismatching elements: all of them while NumPy would print them all, else the first
// and last few, which is what it prints then. Memory does not grow with their number.
class Mismatches {
 public:
  // Reads the differences once.
  Mismatches(Difference& difference, Tolerances tolerances);

  int64_t count() const { return count_; }
  // NumPy's text of `array`'s mismatching elements (`array[mask]`).
  std::string values_text(const Array& array) const;
  // NumPy's text of their indices (`argwhere(mask)`), one row each.
  std::string indices_text(std::span<const int64_t> shape) const;

 private:
  void add(int64_t place);
  // Places to print for rows of `width` numbers, and whether some are left out between them.
  std::vector<int64_t> shown(int64_t width, bool& shortened) const;

  int64_t count_ = 0;
  std::vector<int64_t> first_;
  std::vector<int64_t> last_;  // a ring of the last few
};

// A difference / its tolerance, which may be 0. Infinite for NaN.
double excess_of(double difference, double tolerance);

// The largest ratio of an element's difference to its tolerance: of its two ratios, absolute and
// relative, the smaller one. Infinite for NaN. Reads the differences once.
double largest_excess(Difference& difference, Tolerances tolerances);

}  // namespace polygraphy
