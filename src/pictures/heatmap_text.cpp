#include "pictures/heatmap_text.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

constexpr size_t kImages = 4;
constexpr int64_t kLines = 20;
constexpr int64_t kMargin = 30;  // of the log's own prefix and indentation

}  // namespace

double worse(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  return std::max(a, b);
}

HeatmapText::HeatmapText(const ImageLayout& layout, const ErrorScale& scale,
                         const PictureOptions& options)
    : layout_(layout),
      scale_(scale),
      columns_(std::clamp<int64_t>(options.text_columns - kMargin, 20, 120)),
      ramp_(options.text_shades ? shade_characters() : ascii_characters()) {}

void HeatmapText::add(int64_t tile, std::span<const double> cells) {
  double worst = -1;
  for (const double cell : cells) worst = worse(worst, cell);
  const auto less_bad = [](const Kept& a, const Kept& b) {
    if (std::isnan(a.worst) || std::isnan(b.worst)) return !std::isnan(a.worst);
    return a.worst < b.worst;
  };
  Kept entry{tile, worst, {}};
  if (kept_.size() == kImages) {
    // Of equals the first stays.
    auto least = kept_.end() - 1;
    for (auto it = kept_.begin(); it != kept_.end(); ++it) {
      if (less_bad(*it, *least)) least = it;
    }
    if (!less_bad(*least, entry) || (std::isnan(least->worst) && std::isnan(worst))) return;
    kept_.erase(least);
  }
  entry.lines = drawn(cells);
  kept_.push_back(std::move(entry));
}

std::string HeatmapText::drawn(std::span<const double> cells) const {
  const int64_t high = std::min(layout_.cells_high, kLines);
  const int64_t wide = std::min(layout_.cells_wide, columns_);
  std::string lines;
  for (int64_t y = 0; y < high; ++y) {
    lines += "|";
    for (int64_t x = 0; x < wide; ++x) {
      double worst = -1;
      for (int64_t cy = y * layout_.cells_high / high; cy < (y + 1) * layout_.cells_high / high;
           ++cy) {
        for (int64_t cx = x * layout_.cells_wide / wide; cx < (x + 1) * layout_.cells_wide / wide;
             ++cx) {
          worst = worse(worst, cells[static_cast<size_t>(cy * layout_.cells_wide + cx)]);
        }
      }
      lines += scale_.character(worst, ramp_);
    }
    lines += "|\n";
  }
  return lines;
}

std::string HeatmapText::text(std::string_view title, const ErrorRange& range) const {
  std::string out(title);
  out += "\n";
  for (const Kept& kept : kept_) {
    out += layout_.coordinates(kept.tile * layout_.images_per_tile) +
           " | max=" + format_g(kept.worst, 5) + "\n" + kept.lines;
  }
  out += "key: '" + std::string(ramp_.front()) + "' is 0";
  for (size_t i = 1; i < ramp_.size(); ++i) {
    const double from = static_cast<double>(i - 1) / static_cast<double>(ramp_.size() - 1);
    out += ", '" + std::string(ramp_[i]) + "' from " + format_g(scale_.value_at(from), 3);
  }
  if (range.infinities > 0) out += ", 'I' infinite";
  if (range.nans > 0) out += ", 'N' NaN";
  if (layout_.cells_high > kLines || layout_.cells_wide > columns_ || layout_.reduced()) {
    out += "; a character is the largest error of its position";
  }
  if (static_cast<int64_t>(kept_.size()) < layout_.tiles) {
    out += "\n" + std::to_string(layout_.tiles - static_cast<int64_t>(kept_.size())) +
           " images with smaller errors are not shown";
  }
  return out;
}

}  // namespace polygraphy
