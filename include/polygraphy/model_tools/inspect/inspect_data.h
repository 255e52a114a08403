// `inspect data`: prints saved inputs, results and accuracy files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/results/torch_reader.h"

namespace polygraphy {

// The file does not hold inputs, outputs or accuracy results.
inline constexpr ErrorCode kNotSavedData{"not-saved-data"};
// A name in InspectDataOptions::tensors matches no tensor.
inline constexpr ErrorCode kNoSuchSavedTensor{"no-such-saved-tensor"};

struct InspectDataOptions {
  bool all = false;          // every iteration instead of the first
  bool show_values = false;  // print the arrays
  bool histogram = false;
  int64_t num_items = 3;    // elements at each end of a dimension in summarised arrays; -1: all
  int64_t line_width = 75;  // for arrays; -1: break at dimension ends only
  // Names or patterns of the tensors to show; the others are not read. Empty: all.
  std::vector<std::string> tensors = {};
  TorchReader torch = {};
};

// Logs the contents of the file, or of the directory with one file per iteration, at `path` in one
// INFO message. Holds one array at a time in memory. Throws Error if there is nothing to show, or
// if no tensor matches `tensors`.
void inspect_data(const std::string& path, const InspectDataOptions& options, Logger& log);

}  // namespace polygraphy
