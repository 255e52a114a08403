// From an error to its place on a scale, and from there to a colour.
#pragma once

#include <cstdint>
#include <span>

#include "numerics/block_source.h"
#include "pictures/dot_grid.h"
#include "pictures/png.h"

namespace polygraphy {

// The range of errors. Infinities and NaNs are not part of it.
struct ErrorRange {
  double min = 0, max = 0;  // 0 when no error is finite
  double min_positive = 0;  // 0: no positive error
  int64_t finite = 0, nans = 0, infinities = 0, zeros = 0;
};
// One pass.
ErrorRange range_of(BlockSource& errors);

class ErrorScale {
 public:
  // Logarithmic scales begin at the smallest positive error.
  ErrorScale(const ErrorRange& range, bool logarithmic);

  bool logarithmic() const { return axis_.logarithmic; }
  // 0 to 1 for finite errors within the range.
  double place(double error) const;
  double value_at(double place) const { return axis_.value_at(place); }

  // Indices into palette().
  static constexpr uint8_t kColors = 250;  // 0 to 249: from small to large
  static constexpr uint8_t kZero = 250;    // below a logarithmic scale
  static constexpr uint8_t kInfinite = 251, kNan = 252, kNothing = 253;
  uint8_t color_index(double error) const;
  static std::span<const Rgb> palette();

 private:
  PlotAxis axis_;
};

}  // namespace polygraphy
