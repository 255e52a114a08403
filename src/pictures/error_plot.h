// Errors against the magnitude of the reference, as dots: absolute above, relative below.
#pragma once

#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "base/log.h"
#include "numerics/block_source.h"
#include "pictures/picture_files.h"

namespace polygraphy {

struct ErrorPlotSubject {
  std::string runner0, output0, runner1, output1;
};

// A file under `files`. `reference` is what magnitudes are taken of; equally many elements as the
// errors (checked by assertion), not strings. Three passes, nothing of the tensors' size is held:
// elements that fall on one dot are counted. Throws IoError.
void draw_error_plot(BlockSource& absolute, BlockSource& relative, const Array& reference,
                     const ErrorPlotSubject& subject, PictureFiles& files, Logger& log);

}  // namespace polygraphy
