// A tensor as images: the last two dimensions are height and width, the others count images, which
// stand in grids on figures. A larger image is scaled down: one cell then stands for a block of
// elements.
#pragma once

#include <cstdint>
#include <string>

#include "base/arrays/array.h"

namespace polygraphy {

struct ImageLayout {
  Shape leading;  // all dimensions but the last two, at least one
  int64_t height = 0, width = 0;
  int64_t images = 0;

  int64_t block_height = 1, block_width = 1;  // elements in a cell
  int64_t images_per_tile = 1;                // images drawn on top of each other
  int64_t cells_high = 0, cells_wide = 0;     // of a tile
  int64_t tiles = 0;
  int64_t rows = 0, columns = 0;  // tiles on a figure
  int64_t figures = 0;            // 0: the tensor is empty

  int64_t tiles_per_figure() const { return rows * columns; }
  // Blocks or tiles stand for more than one element or image.
  bool reduced() const { return block_height > 1 || block_width > 1 || images_per_tile > 1; }
  // "(0,3,0:224,0:224)": the original's name of an image.
  std::string coordinates(int64_t image) const;
};

// Figures are grids of at most 14 x 7 tiles in at most 1080 x 1920 cells, as the original's, and at
// most `max_figures`.
ImageLayout layout_images(const Shape& shape, int64_t max_figures = 256);

}  // namespace polygraphy
