#include "pictures/dot_grid.h"

#include <algorithm>
#include <cmath>

#include "pictures/png.h"

namespace polygraphy {
namespace {

constexpr int64_t kShades = 16;

// White for nothing, then from a light to a dark blue.
std::vector<Rgb> blues() {
  std::vector<Rgb> colors{{255, 255, 255}};
  for (int64_t i = 0; i < kShades; ++i) {
    const auto mixed = [&](int64_t light, int64_t dark) {
      return static_cast<uint8_t>(light + (dark - light) * i / (kShades - 1));
    };
    colors.push_back({mixed(120, 8), mixed(170, 30), mixed(220, 90)});
  }
  return colors;
}

}  // namespace

double PlotAxis::place(double value) const {
  if (high <= low) return value == low ? 0.5 : (value < low ? -1 : 2);
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

double PlotAxis::value_at(double place) const {
  return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
}

std::vector<double> PlotAxis::ticks(int count) const {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  if (logarithmic) {
    const double first = std::ceil(std::log10(low) - 1e-9);
    const double last = std::floor(std::log10(high) + 1e-9);
    const double step = std::max(1.0, std::ceil((last - first) / count));
    for (double power = first; power <= last; power += step) ticks.push_back(std::pow(10, power));
    return ticks;
  }
  const double rough = (high - low) / count;
  const double unit = std::pow(10, std::floor(std::log10(rough)));
  if (!(unit > 0)) return {low, high};  // denormal numbers
  const double part = rough / unit;
  const double step = unit * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; (first + i) * step <= high * (1 + 1e-9); ++i) ticks.push_back((first + i) * step);
  return ticks;
}

DotGrid::DotGrid(PlotAxis x, PlotAxis y, int64_t columns, int64_t rows)
    : x_(x), y_(y), columns_(columns), rows_(rows), counts_(static_cast<size_t>(columns * rows)) {}

bool DotGrid::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return false;
  if ((x_.logarithmic && x <= 0) || (y_.logarithmic && y <= 0)) return false;
  const double at_x = x_.place(x), at_y = y_.place(y);
  if (!(at_x >= 0 && at_x <= 1 && at_y >= 0 && at_y <= 1)) return false;
  const auto column = static_cast<int64_t>(std::lround(at_x * static_cast<double>(columns_ - 1)));
  const auto row = static_cast<int64_t>(std::lround((1 - at_y) * static_cast<double>(rows_ - 1)));
  most_ = std::max(most_, ++counts_[static_cast<size_t>(row * columns_ + column)]);
  return true;
}

int64_t DotGrid::shade(int64_t count) const {
  if (count == 0) return 0;
  if (most_ == 1) return kShades;
  const double part = std::log(static_cast<double>(count)) / std::log(static_cast<double>(most_));
  return 1 + std::lround(part * (kShades - 1));
}

std::string DotGrid::png() const {
  std::vector<uint8_t> pixels;
  pixels.reserve(counts_.size());
  for (const int64_t count : counts_) pixels.push_back(static_cast<uint8_t>(shade(count)));
  return png_of(columns_, rows_, pixels, blues());
}

}  // namespace polygraphy
