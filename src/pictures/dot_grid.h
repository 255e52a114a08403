// A scatter plot that counts: elements that fall on one dot are one dot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polygraphy {

// One axis of a plot, from low to high.
struct PlotAxis {
  double low = 0, high = 1;
  bool logarithmic = false;

  // 0 to 1 from low to high; outside of that range for values beyond. `value` is positive when
  // logarithmic.
  double place(double value) const;
  double value_at(double place) const;
  // Round numbers (powers of ten when logarithmic) on the axis, about `count`.
  std::vector<double> ticks(int count) const;
};

class DotGrid {
 public:
  DotGrid(PlotAxis x, PlotAxis y, int64_t columns, int64_t rows);

  // False: the place is not on the plot (NaN, infinite, 0 on a logarithmic axis).
  bool add(double x, double y);

  const PlotAxis& x() const { return x_; }
  const PlotAxis& y() const { return y_; }
  // A PNG file of columns x rows: the more elements on a dot, the darker.
  std::string png() const;

 private:
  // A colour from 0 (nothing), by the logarithm of the count.
  int64_t shade(int64_t count) const;

  PlotAxis x_, y_;
  int64_t columns_, rows_;
  std::vector<int64_t> counts_;  // from the top
  int64_t most_ = 0;
};

}  // namespace polygraphy
