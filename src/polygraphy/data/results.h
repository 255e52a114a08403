// Results of running models, as saved by --save-outputs (spec S1.4, delta §6).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polygraphy/data/tensor_map.h"

namespace polygraphy {

struct IterationResult {
  TensorMap outputs;
  std::optional<double> runtime;  // seconds
  std::string runner_name = "custom_runner";
  // The runner has failed, in this iteration or before: there are no outputs, and nothing to save.
  bool failed = false;
};

// A list, so that duplicate runner names are legal.
struct RunResults {
  std::vector<std::pair<std::string, std::vector<IterationResult>>> runners;
};

}  // namespace polygraphy
