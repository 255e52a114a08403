// `inspect data`: saved inputs and outputs as text (spec D.4, delta §9.4).
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"

namespace polygraphy {

struct InspectDataOptions {
  bool all = false;  // every iteration, not only the first
  bool show_values = false;
  bool histogram = false;
  int64_t num_items = 3;    // elements at each end of a dimension; -1: all
  int64_t line_width = 75;  // characters; -1: break at the ends of dimensions only
};

// The text for a file, or for a directory of one file per iteration. Holds one array at a time, so
// memory does not grow with the size of the data. Throws IoError, FormatError, and Error when the
// file holds something else.
std::string data_text(const std::string& path, const InspectDataOptions& options, Logger& log);

// Logs it as one INFO message.
void inspect_data(const std::string& path, const InspectDataOptions& options, Logger& log);

}  // namespace polygraphy
