#include "base/arrays/float_column.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/convert.h"

namespace polygraphy::text {
namespace {

// A value as numbers of that type would compute and store it.
double rounded_to(Precision precision, double value) {
  switch (precision) {
    case Precision::kHalf:
      return static_cast<double>(float16_to_float(double_to_float16(value)));
    case Precision::kSingle:
      return static_cast<double>(static_cast<float>(value));
    case Precision::kDouble:
      break;
  }
  return value;
}

}  // namespace

std::string pad_left(std::string word, size_t width) {
  if (word.size() < width) word.insert(0, width - word.size(), ' ');
  return word;
}

void FloatColumn::survey(double value) {
  if (!std::isfinite(value)) {
    has_special_ = true;
    has_negative_infinity_ = has_negative_infinity_ || value < 0;
    return;
  }
  if (value == 0) return;
  largest_ = std::max(largest_, std::abs(value));
  smallest_ = std::min(smallest_, std::abs(value));
}

void FloatColumn::choose_notation() {
  if (largest_ == 0) return;
  const double upper = precision_ == Precision::kHalf     ? 1e3
                       : precision_ == Precision::kSingle ? 1e6
                                                          : 1e8;
  // Comparisons and the quotient are in the array's own type.
  scientific_ = largest_ >= upper || smallest_ < rounded_to(precision_, 0.0001) ||
                rounded_to(precision_, largest_ / smallest_) > 1000;
}

void FloatColumn::measure(double value) {
  if (!std::isfinite(value)) return;
  if (scientific_) {
    const Scientific parts = scientific(value, precision_, 0, places_);
    left_ = std::max(left_, with_sign(parts.integer).size());
    fraction_ = std::max(fraction_, parts.fraction.size());
    exponent_ = std::max(exponent_, exponent_text(parts.exponent).size() - 1);
  } else {
    const std::string written = with_sign(positional(value, precision_, places_));
    const size_t point = written.find('.');
    left_ = std::max(left_, point);
    right_ = std::max(right_, written.size() - point - 1);
  }
}

void FloatColumn::settle() {
  if (scientific_) right_ = fraction_ + 2 + exponent_;
  if (!has_special_) return;
  const size_t widest = plus_sign_ || has_negative_infinity_ ? 4 : 3;  // "-inf", "nan"
  const size_t offset = right_ + 1;
  if (widest > offset) left_ = std::max(left_, widest - offset);
}

std::string FloatColumn::word(double value) const {
  if (!std::isfinite(value)) {
    const std::string name = std::isnan(value) ? "nan" : "inf";
    const std::string sign = std::isinf(value) && value < 0 ? "-" : plus_sign_ ? "+" : "";
    return pad_left(sign + name, left_ + right_ + 1);
  }
  if (scientific_) {
    // From the exact value up to the common number of digits, not filled up with zeros.
    const auto digits = static_cast<int>(fraction_);
    const Scientific parts = scientific(value, precision_, digits, digits);
    return pad_left(with_sign(parts.integer), left_) + '.' + parts.fraction + 'e' +
           exponent_text(parts.exponent, static_cast<int>(exponent_));
  }
  std::string written = with_sign(positional(value, precision_, places_));
  const size_t point = written.find('.');
  written.append(right_ - std::min(right_, written.size() - point - 1), ' ');
  return std::string(left_ - std::min(left_, point), ' ') + written;
}

std::string FloatColumn::with_sign(std::string written) const {
  if (plus_sign_ && written.front() != '-') written.insert(0, 1, '+');
  return written;
}

}  // namespace polygraphy::text
