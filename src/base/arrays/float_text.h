// Decimal digits of binary floating-point numbers, as Python and NumPy choose them. Internal to
// base.
#pragma once

#include <string>

#include "base/arrays/dtype.h"

namespace polygraphy::text {

// The type in which the digits must identify a value among its neighbours.
enum class Precision { kHalf, kSingle, kDouble };

// value = digits[0].digits[1]digits[2]… * 10^exponent, sign apart. Zero is "0" with exponent 0.
struct Decimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

// The fewest digits that identify the finite `value` among the numbers of its type; the closest of
// several. Half and single values are passed exactly, as double.
Decimal shortest(double value, Precision precision);

// At most `places` digits after the point (the shortest digits if they are fewer, else rounded from
// the exact value, ties to even), without trailing zeros, the point always: "12.", "-0.25".
std::string positional(double value, Precision precision, int places);

struct Scientific {
  std::string integer;   // "-1"
  std::string fraction;  // may be empty
  int exponent = 0;
};
// At most `most_places` digits after the point, trailing zeros removed; then filled up to
// `least_places` from the exact value.
Scientific scientific(double value, Precision precision, int least_places, int most_places);

// "+05", "-123": sign and at least two digits.
std::string exponent_text(int exponent, int least_digits = 2);

// How str() of a scalar shows it: positional with at least one digit after the point between 1e-4
// and `upper`, scientific outside: 0.5, 100.0, 1e-05, nan.
std::string scalar_text(double value, Precision precision, double upper);

}  // namespace polygraphy::text
