// A column of floating-point numbers with their points aligned, as NumPy lays out arrays. Internal
// to base.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "base/arrays/float_text.h"

namespace polygraphy::text {

// With spaces in front up to `width` bytes.
std::string pad_left(std::string word, size_t width);

// One notation for all numbers: scientific when the largest magnitude has more digits than the type
// is good for (from 1e3 for half, 1e6 for single, 1e8 for double), when one is below 1e-4, or when
// the largest is more than 1000 times the smallest; zeros do not count. Call survey() with every
// value, choose_notation(), measure() with every value, settle(); then word().
class FloatColumn {
 public:
  // `places`: most digits after the point. `plus_sign`: for imaginary parts.
  FloatColumn(Precision precision, int places, bool plus_sign)
      : precision_(precision), places_(places), plus_sign_(plus_sign) {}

  void survey(double value);
  void choose_notation();
  void measure(double value);
  void settle();

  std::string word(double value) const;

 private:
  std::string with_sign(std::string written) const;

  Precision precision_;
  int places_;
  bool plus_sign_;
  bool has_special_ = false;  // NaN or infinities
  bool has_negative_infinity_ = false;
  double largest_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();
  bool scientific_ = false;
  size_t left_ = 0, right_ = 0;         // characters before and after the point
  size_t fraction_ = 0, exponent_ = 0;  // digits, scientific only
};

}  // namespace polygraphy::text
