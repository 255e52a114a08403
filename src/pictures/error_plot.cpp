#include "pictures/error_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "numerics/block_reader.h"
#include "pictures/dot_grid.h"
#include "pictures/error_scale.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

using log_modules::kStatistics;

constexpr int64_t kColumns = 400, kRows = 130;  // dots
constexpr double kDot = 2;                      // pixels
constexpr double kLeft = 90, kRight = 30, kTop = 84, kBetween = 30, kBottom = 80;

// |reference|, block by block, as double precision holds it.
class Magnitudes {
 public:
  explicit Magnitudes(const Array& reference) : reference_(reference) {
    if (has_compute_type(reference.dtype())) {
      source_.emplace(reference);
      buffer_.resize(BlockSource::kBlockElements);
    } else {
      reference_ = reference.contiguous_aligned();
    }
    block_.resize(BlockSource::kBlockElements);
  }

  std::span<const double> read(int64_t start, int64_t count) {
    const std::span<double> block(block_.data(), static_cast<size_t>(count));
    if (source_) {
      const double* values = read_as<double>(*source_, start, count, buffer_);
      for (size_t i = 0; i < block.size(); ++i) block[i] = std::abs(values[i]);
    } else if (reference_.dtype() == DataType::kComplex64) {
      absolutes<float>(start, block);
    } else {
      absolutes<double>(start, block);
    }
    return block;
  }

 private:
  template <typename Real>
  void absolutes(int64_t start, std::span<double> block) const {
    const auto* parts = reinterpret_cast<const Real*>(reference_.data()) + 2 * start;
    for (size_t i = 0; i < block.size(); ++i) {
      block[i] =
          std::hypot(static_cast<double>(parts[2 * i]), static_cast<double>(parts[2 * i + 1]));
    }
  }

  Array reference_;
  std::optional<ArraySource> source_;
  std::vector<uint64_t> buffer_;
  std::vector<double> block_;
};

double largest_finite(Magnitudes& magnitudes, int64_t size) {
  double largest = 0;
  for (int64_t start = 0; start < size; start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, size - start);
    for (const double value : magnitudes.read(start, count)) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  return largest;
}

// From 0: axes of plots that have nothing else end at 1.
PlotAxis linear(double high) {
  return {0, high > 0 ? high : 1, false};
}

// Whole decades around the relative errors; linear when they are all the same, as the original.
PlotAxis relative_axis(const ErrorRange& range) {
  if (range.min == range.max || range.min_positive == 0) return linear(range.max);
  const double low = std::floor(std::log10(range.min_positive));
  double high = std::ceil(std::log10(range.max));
  if (high <= low) high = low + 1;
  return {std::pow(10, low), std::pow(10, high), true};
}

struct Plot {
  DotGrid absolute, relative;
  int64_t not_finite = 0;     // elements left out of either
  int64_t zero_relative = 0;  // below a logarithmic axis

  Plot(double magnitude, const ErrorRange& absolute_range, const ErrorRange& relative_range)
      : absolute(linear(magnitude), linear(absolute_range.max), kColumns, kRows),
        relative(linear(magnitude), relative_axis(relative_range), kColumns, kRows) {}

  void fill(BlockSource& absolutes, BlockSource& relatives, Magnitudes& magnitudes) {
    std::vector<uint64_t> buffer(BlockSource::kBlockElements), buffer2(BlockSource::kBlockElements);
    for (int64_t start = 0; start < absolutes.size(); start += BlockSource::kBlockElements) {
      const int64_t count = std::min(BlockSource::kBlockElements, absolutes.size() - start);
      const double* a = read_as<double>(absolutes, start, count, buffer);
      const double* r = read_as<double>(relatives, start, count, buffer2);
      const std::span<const double> magnitude = magnitudes.read(start, count);
      for (int64_t i = 0; i < count; ++i) {
        const double m = magnitude[static_cast<size_t>(i)];
        const bool shown = absolute.add(m, a[i]);
        const bool zero = relative.y().logarithmic && r[i] == 0 && std::isfinite(m);
        zero_relative += zero;
        not_finite += !(shown && (zero || relative.add(m, r[i])));
      }
    }
  }

  std::string remarks(int64_t size) const {
    std::string text = fmt::format("{} elements", size);
    if (not_finite > 0) text += fmt::format("; without {} that are not finite", not_finite);
    if (zero_relative > 0) {
      text += fmt::format("; {} with a relative error of 0 are below its scale", zero_relative);
    }
    return text;
  }
};

std::string relative_label(const DotGrid& grid) {
  return std::string("Relative error") + (grid.y().logarithmic ? " (log scale)" : "");
}

void draw_axes(Svg& svg, const DotGrid& grid, double top, const std::string& label,
               bool with_x_numbers) {
  constexpr double kWidth = kColumns * kDot, kHeight = kRows * kDot;
  svg.image(kLeft, top, kWidth, kHeight, grid.png());
  for (const double tick : grid.x().ticks(20)) {
    const double x = kLeft + kDot / 2 + grid.x().place(tick) * (kWidth - kDot);
    svg.line(x, top, x, top + kHeight, "#c8c8c8", true);
    if (with_x_numbers) {
      svg.text(x + 3, top + kHeight + 6, 9, format_g(tick, 5), Svg::Anchor::kEnd, -90);
    }
  }
  for (const double tick : grid.y().ticks(10)) {
    const double y = top + kDot / 2 + (1 - grid.y().place(tick)) * (kHeight - kDot);
    svg.line(kLeft, y, kLeft + kWidth, y, "#c8c8c8", true);
    svg.text(kLeft - 5, y + 3, 9, format_g(tick, 5), Svg::Anchor::kEnd);
  }
  svg.rect(kLeft, top, kWidth, kHeight, "none", "#000000");
  svg.text(20, top + kHeight / 2, 11, label, Svg::Anchor::kMiddle, -90);
}

std::string picture_of(const Plot& plot, const ErrorPlotSubject& subject, int64_t size) {
  constexpr double kHeight = kRows * kDot;
  Svg svg(kLeft + kColumns * kDot + kRight, kTop + 2 * kHeight + kBetween + kBottom);
  svg.text(kLeft, 20, 12, "Error metrics between output0 and output1");
  svg.text(kLeft, 36, 11, "output0: " + subject.runner0 + " | " + subject.output0);
  svg.text(kLeft, 52, 11, "output1: " + subject.runner1 + " | " + subject.output1);
  svg.text(kLeft, 70, 9, plot.remarks(size) + "; darker dots: more elements");
  draw_axes(svg, plot.absolute, kTop, "Absolute error", false);
  const double second = kTop + kHeight + kBetween;
  draw_axes(svg, plot.relative, second, relative_label(plot.relative), true);
  svg.text(kLeft + kColumns * kDot / 2, second + kHeight + 68, 11, "output1 magnitude",
           Svg::Anchor::kMiddle);
  return svg.finish();
}

}  // namespace

void draw_error_plot(BlockSource& absolute, BlockSource& relative, const Array& reference,
                     const ErrorPlotSubject& subject, PictureFiles& files, Logger& log) {
  assert(absolute.size() == reference.size() && relative.size() == reference.size());
  log.start(kStatistics,
            "Building error metrics plot for " + subject.output0 + ". This may take a while...");
  Logger::Indent deeper(log);
  Magnitudes magnitudes(reference);
  Plot plot(largest_finite(magnitudes, reference.size()), range_of(absolute), range_of(relative));
  plot.fill(absolute, relative, magnitudes);
  const std::string path = files.path_for("error_metrics_" + subject.output0,
                                          subject.runner0 + "\n" + subject.runner1, ".svg");
  log.info(kStatistics, "Saving error metrics plot to: '" + path + "'");
  write_file(path, picture_of(plot, subject, reference.size()), Durability::kNone);
}

}  // namespace polygraphy
