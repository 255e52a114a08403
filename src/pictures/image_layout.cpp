#include "pictures/image_layout.h"

#include <algorithm>

namespace polygraphy {
namespace {

constexpr int64_t kMaxHeight = 1080, kMaxWidth = 1920;
constexpr int64_t kMaxRows = 14, kMaxColumns = 7;

int64_t divided(int64_t count, int64_t by) {
  return (count + by - 1) / by;
}

}  // namespace

std::string ImageLayout::coordinates(int64_t image) const {
  std::string text;
  for (auto dim = leading.rbegin(); dim != leading.rend(); ++dim) {
    text = std::to_string(image % *dim) + "," + text;
    image /= *dim;
  }
  return "(" + text + "0:" + std::to_string(height) + ",0:" + std::to_string(width) + ")";
}

ImageLayout layout_images(const Shape& shape, int64_t max_figures) {
  Shape full = shape;
  while (full.size() < 3) full.insert(full.begin(), 1);
  ImageLayout layout;
  layout.leading.assign(full.begin(), full.end() - 2);
  layout.height = full[full.size() - 2];
  layout.width = full.back();
  layout.images = element_count(layout.leading);
  if (layout.images == 0 || layout.height == 0 || layout.width == 0) return layout;

  layout.block_height = divided(layout.height, kMaxHeight);
  layout.block_width = divided(layout.width, kMaxWidth);
  layout.cells_high = divided(layout.height, layout.block_height);
  layout.cells_wide = divided(layout.width, layout.block_width);
  layout.rows = std::min(kMaxHeight / layout.cells_high, kMaxRows);
  layout.columns = std::min(kMaxWidth / layout.cells_wide, kMaxColumns);
  layout.images_per_tile = divided(layout.images, layout.tiles_per_figure() * max_figures);
  layout.tiles = divided(layout.images, layout.images_per_tile);
  if (layout.tiles < layout.tiles_per_figure()) {
    layout.columns = std::min(layout.tiles, layout.columns);
    layout.rows = divided(layout.tiles, layout.columns);
  }
  layout.figures = divided(layout.tiles, layout.tiles_per_figure());
  return layout;
}

}  // namespace polygraphy
