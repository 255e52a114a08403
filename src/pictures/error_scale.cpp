#include "pictures/error_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "numerics/block_reader.h"

namespace polygraphy {
namespace {

// From dark blue over red to yellow; brightness rises all the way, so it survives grey printing.
constexpr std::array<Rgb, 9> kStops = {{{13, 8, 135},
                                        {76, 2, 161},
                                        {126, 3, 168},
                                        {170, 35, 149},
                                        {204, 71, 120},
                                        {230, 108, 92},
                                        {248, 149, 64},
                                        {253, 197, 39},
                                        {240, 249, 33}}};

std::array<Rgb, 254> make_palette() {
  std::array<Rgb, 254> colors{};
  for (size_t i = 0; i < ErrorScale::kColors; ++i) {
    const size_t scaled = i * (kStops.size() - 1);
    const size_t stop = std::min(scaled / (ErrorScale::kColors - 1), kStops.size() - 2);
    const double part =
        static_cast<double>(scaled) / (ErrorScale::kColors - 1) - static_cast<double>(stop);
    for (size_t c = 0; c < 3; ++c) {
      colors[i][c] = static_cast<uint8_t>(
          std::lround(kStops[stop][c] + part * (kStops[stop + 1][c] - kStops[stop][c])));
    }
  }
  colors[ErrorScale::kZero] = {232, 232, 232};
  colors[ErrorScale::kInfinite] = {0, 200, 220};
  colors[ErrorScale::kNan] = {0, 150, 60};
  colors[ErrorScale::kNothing] = {255, 255, 255};
  return colors;
}

}  // namespace

ErrorRange range_of(BlockSource& errors) {
  ErrorRange range;
  std::vector<uint64_t> buffer(BlockSource::kBlockElements);
  for (int64_t start = 0; start < errors.size(); start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, errors.size() - start);
    const double* block = read_as<double>(errors, start, count, buffer);
    for (int64_t i = 0; i < count; ++i) {
      const double error = block[i];
      if (std::isnan(error)) {
        ++range.nans;
      } else if (std::isinf(error)) {
        ++range.infinities;
      } else {
        if (range.finite == 0 || error < range.min) range.min = error;
        if (range.finite == 0 || error > range.max) range.max = error;
        if (error > 0 && (range.min_positive == 0 || error < range.min_positive)) {
          range.min_positive = error;
        }
        range.zeros += error == 0;
        ++range.finite;
      }
    }
  }
  return range;
}

ErrorScale::ErrorScale(const ErrorRange& range, bool logarithmic)
    : axis_{logarithmic ? range.min_positive : range.min, range.max,
            logarithmic && range.min_positive > 0} {}

double ErrorScale::place(double error) const {
  if (axis_.high <= axis_.low) return error > 0 ? 1 : 0;
  return std::clamp(axis_.place(error), 0.0, 1.0);
}

uint8_t ErrorScale::color_index(double error) const {
  if (std::isnan(error)) return kNan;
  if (std::isinf(error)) return kInfinite;
  if (axis_.logarithmic && error <= 0) return kZero;
  return static_cast<uint8_t>(std::lround(place(error) * (kColors - 1)));
}

std::span<const Rgb> ErrorScale::palette() {
  static const std::array<Rgb, 254> kPalette = make_palette();
  return kPalette;
}

}  // namespace polygraphy
