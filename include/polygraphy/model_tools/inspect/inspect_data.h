// `inspect data`: what is in saved inputs, results and accuracy files, as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/results/torch_reader.h"

namespace polygraphy {

// A file with something else in it than inputs, outputs or accuracy results.
inline constexpr ErrorCode kNotSavedData{"not-saved-data"};
// A name in InspectDataOptions::tensors that is no tensor's, nor like one.
inline constexpr ErrorCode kNoSuchSavedTensor{"no-such-saved-tensor"};

struct InspectDataOptions {
  bool all = false;          // every iteration instead of the first
  bool show_values = false;  // print the arrays
  bool histogram = false;
  int64_t num_items = 3;    // elements at either end of a dimension in summarised arrays; -1: all
  int64_t line_width = 75;  // of arrays; -1: break at dimension ends only
  // Names or patterns of the tensors to show; the others are not read. Empty: all.
  std::vector<std::string> tensors = {};
  TorchReader torch = {};
};

// Says what is in the file, or directory of one file per iteration, at `path`: one message at INFO.
// Holds one array at a time in memory. Throws Error when there is nothing to show, or none of
// `tensors` is there.
void inspect_data(const std::string& path, const InspectDataOptions& options, Logger& log);

}  // namespace polygraphy
