#include "pictures/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "numerics/block_reader.h"
#include "pictures/error_scale.h"
#include "pictures/image_layout.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

using log_modules::kStatistics;

constexpr double kNoCell = -1;  // errors are never negative
constexpr double kDrawWidth = 1300, kDrawHeight = 900, kMargin = 20, kTop = 60;
constexpr double kTitleHeight = 11, kKeyWidth = 130;

// The larger error; NaN is larger than anything.
double worse(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  return std::max(a, b);
}

// The cells of one figure, tile after tile.
std::vector<double> cells_of(BlockSource& errors, const ImageLayout& layout, int64_t figure) {
  const int64_t per_tile = layout.cells_high * layout.cells_wide;
  std::vector<double> cells(static_cast<size_t>(layout.tiles_per_figure() * per_tile), kNoCell);
  const int64_t image_size = layout.height * layout.width;
  const int64_t images = layout.tiles_per_figure() * layout.images_per_tile;
  const int64_t first = figure * images * image_size;
  const int64_t last =
      std::min(layout.images - figure * images, images) * image_size + first;  // past the end

  std::vector<uint64_t> buffer(BlockSource::kBlockElements);
  int64_t image = 0, y = 0, x = 0;
  for (int64_t start = first; start < last; start += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, last - start);
    const double* block = read_as<double>(errors, start, count, buffer);
    for (int64_t i = 0; i < count; ++i) {
      double& cell = cells[static_cast<size_t>(image / layout.images_per_tile * per_tile +
                                               y / layout.block_height * layout.cells_wide +
                                               x / layout.block_width)];
      cell = worse(cell, block[i]);
      if (++x < layout.width) continue;
      x = 0;
      if (++y < layout.height) continue;
      y = 0;
      ++image;
    }
  }
  return cells;
}

// On a linear scale of a wide range almost all errors have the colour of 0. A range of one value
// has no logarithm.
ErrorScale scale_of(const ErrorRange& range, bool logarithmic) {
  constexpr double kWide = 1000;
  const bool wide = range.min_positive > 0 && range.max > kWide * range.min_positive;
  return {range, (logarithmic || wide) && range.min != range.max};
}

class FigureFile {
 public:
  FigureFile(const ImageLayout& layout, const ErrorScale& scale, const ErrorRange& range)
      : layout_(layout), scale_(scale), range_(range) {
    const auto wide = static_cast<double>(layout.columns * layout.cells_wide);
    const auto high = static_cast<double>(layout.rows * layout.cells_high);
    cell_ = std::min({40.0, kDrawWidth / wide, kDrawHeight / high});
    // A row or column of very many cells would be thinner than a hair.
    cell_width_ = std::max(cell_, 16.0 / static_cast<double>(layout.cells_wide));
    cell_height_ = std::max(cell_, 16.0 / static_cast<double>(layout.cells_high));
    tile_width_ = cell_width_ * static_cast<double>(layout.cells_wide) + 6;
    tile_height_ = cell_height_ * static_cast<double>(layout.cells_high) + kTitleHeight;
  }

  std::string draw(const std::string& title, const std::vector<double>& cells, int64_t figure) {
    const double grid_width = std::max(tile_width_ * static_cast<double>(layout_.columns), 420.0);
    const double grid_height = std::max(tile_height_ * static_cast<double>(layout_.rows), 260.0);
    Svg svg(2 * kMargin + grid_width + kKeyWidth, kTop + grid_height + kMargin);
    const double letters = static_cast<double>(code_points(title)) * 0.55;
    svg.text(kMargin, 24, std::clamp((grid_width + kKeyWidth) / letters, 4.0, 14.0), title);
    if (layout_.reduced()) svg.text(kMargin, 42, 11, reduction());
    for (int64_t i = 0; i < layout_.tiles_per_figure(); ++i) {
      const int64_t tile = figure * layout_.tiles_per_figure() + i;
      if (tile < layout_.tiles) draw_tile(svg, cells, i, tile);
    }
    draw_key(svg, 2 * kMargin + grid_width, grid_height);
    return svg.finish();
  }

 private:
  std::string reduction() const {
    std::string text = "Each cell is the largest error of";
    const bool blocks = layout_.block_height > 1 || layout_.block_width > 1;
    if (blocks) text += fmt::format(" {} x {} elements", layout_.block_height, layout_.block_width);
    if (layout_.images_per_tile > 1) {
      text +=
          fmt::format("{} {} images", blocks ? " in" : " its place in", layout_.images_per_tile);
    }
    return text;
  }

  void draw_tile(Svg& svg, const std::vector<double>& cells, int64_t place, int64_t tile) {
    const int64_t size = layout_.cells_high * layout_.cells_wide;
    std::vector<uint8_t> pixels(static_cast<size_t>(size));
    for (int64_t i = 0; i < size; ++i) {
      const double cell = cells[static_cast<size_t>(place * size + i)];
      pixels[static_cast<size_t>(i)] =
          cell == kNoCell ? ErrorScale::kNothing : scale_.color_index(cell);
    }
    const double x = kMargin + static_cast<double>(place % layout_.columns) * tile_width_;
    const double y = kTop + static_cast<double>(place / layout_.columns) * tile_height_;
    const std::string name = layout_.coordinates(tile * layout_.images_per_tile);
    const double letters = static_cast<double>(name.size()) * 0.55;
    svg.text(x, y - 2, std::clamp(tile_width_ / letters, 2.0, 8.0), name);
    svg.image(x, y, tile_width_ - 6, tile_height_ - kTitleHeight,
              png_of(layout_.cells_wide, layout_.cells_high, pixels, ErrorScale::palette()));
  }

  // The bar of colours with its values, and the colour of missing values.
  void draw_key(Svg& svg, double x, double height) const {
    constexpr int kTicks = 5;
    const double bar = std::min(height - 60, 400.0);
    std::vector<uint8_t> pixels(ErrorScale::kColors);
    for (size_t i = 0; i < pixels.size(); ++i) {
      pixels[i] = static_cast<uint8_t>(pixels.size() - 1 - i);
    }
    svg.image(x, kTop, 18, bar, png_of(1, ErrorScale::kColors, pixels, ErrorScale::palette()));
    for (int i = 0; i < kTicks; ++i) {
      const double part = static_cast<double>(i) / (kTicks - 1);
      const double y = kTop + bar * (1 - part);
      svg.line(x + 18, y, x + 22, y, "#000000");
      svg.text(x + 25, y + 4, 11, format_g(scale_.value_at(part), 4));
    }
    double y = kTop + bar + 14;
    const auto extra = [&](uint8_t index, const std::string& text) {
      const Rgb color = ErrorScale::palette()[index];
      svg.rect(x, y, 12, 12, fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]),
               "#000000");
      svg.text(x + 18, y + 10, 11, text);
      y += 16;
    };
    if (scale_.logarithmic() && range_.zeros > 0) extra(ErrorScale::kZero, "0");
    if (range_.infinities > 0) extra(ErrorScale::kInfinite, "infinite");
    if (range_.nans > 0) extra(ErrorScale::kNan, "NaN");
  }

  const ImageLayout& layout_;
  const ErrorScale& scale_;
  const ErrorRange& range_;
  double cell_, cell_width_, cell_height_, tile_width_, tile_height_;
};

}  // namespace

std::string heatmap_svg(BlockSource& errors, const std::string& title) {
  const ImageLayout layout = layout_images(errors.shape(), 1);
  if (layout.figures == 0) return {};
  const ErrorRange range = range_of(errors);
  const ErrorScale scale = scale_of(range, false);
  return FigureFile(layout, scale, range)
      .draw(title + (scale.logarithmic() ? " (log scale)" : ""), cells_of(errors, layout, 0), 0);
}

void draw_heatmaps(BlockSource& errors, const HeatmapSubject& subject, PictureFiles& files,
                   Logger& log) {
  log.start(kStatistics, "Building heatmaps for " + subject.prefix + ". This may take a while...");
  Logger::Indent deeper(log);
  const ImageLayout layout = layout_images(errors.shape());
  if (layout.figures == 0) {
    log.info(kStatistics, "No heatmap: the output is empty.");
    return;
  }
  const ErrorRange range = range_of(errors);
  const ErrorScale scale = scale_of(range, subject.logarithmic);
  const std::string prefix = subject.prefix + (scale.logarithmic() ? " (Log Scale)" : "");
  FigureFile picture(layout, scale, range);

  for (int64_t figure = 0; figure < layout.figures; ++figure) {
    const int64_t first = figure * layout.tiles_per_figure();
    const int64_t tiles = std::min(layout.tiles - first, layout.tiles_per_figure());
    const int64_t last_image =
        std::min((first + tiles) * layout.images_per_tile, layout.images) - 1;
    const std::string title = prefix + ": " + layout.coordinates(first * layout.images_per_tile) +
                              " to " + layout.coordinates(last_image);
    log.extra_verbose(kStatistics, "Building heatmaps for " + title);
    const std::string path = files.path_for(title, subject.runners, ".svg");
    log.info(kStatistics, "Saving '" + prefix + "' heatmap to: '" + path + "'");
    write_file(path, picture.draw(title, cells_of(errors, layout, figure), figure),
               Durability::kNone);
  }
}

}  // namespace polygraphy
