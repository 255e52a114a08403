// Heat maps for terminals: the images with the largest errors, as characters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pictures/error_scale.h"
#include "pictures/image_layout.h"
#include "pictures/pictures.h"

namespace polygraphy {

class HeatmapText {
 public:
  HeatmapText(const ImageLayout& layout, const ErrorScale& scale, const PictureOptions& options);

  // Tiles in their order; `cells` in the order of the layout.
  void add(int64_t tile, std::span<const double> cells);
  // Title, the images with the largest errors in order, and a key.
  std::string text(std::string_view title, const ErrorRange& range) const;

 private:
  struct Kept {
    int64_t tile = 0;
    double worst = 0;
    std::string lines;
  };
  std::string drawn(std::span<const double> cells) const;

  const ImageLayout& layout_;
  const ErrorScale& scale_;
  int64_t columns_;
  std::span<const std::string_view> ramp_;
  std::vector<Kept> kept_;
};

// The larger error; NaN is larger than anything.
double worse(double a, double b);

}  // namespace polygraphy
