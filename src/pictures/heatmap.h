// Heat maps of errors: tensors as images.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"
#include "numerics/block_source.h"
#include "pictures/picture_files.h"

namespace polygraphy {

struct HeatmapSubject {
  std::string prefix;        // "Absolute Error | y"
  std::string runners;       // distinguishes pictures of the same output
  bool logarithmic = false;  // else only where the range is wide
};

// One figure of the whole tensor; empty: it has no elements.
std::string heatmap_svg(BlockSource& errors, const std::string& title);

// Files under `files`. Two passes over `errors`; memory for one figure (up to 2 million cells),
// independent of the size of the tensor. Draws the largest error of a block, or of several images;
// a NaN wins. Throws IoError.
void draw_heatmaps(BlockSource& errors, const HeatmapSubject& subject, PictureFiles& files,
                   Logger& log);

}  // namespace polygraphy
