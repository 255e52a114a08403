// Runs of a model with sets of its layers quantised.
#pragma once

#include <cstddef>
#include <vector>

#include "base/arrays/array_map.h"

namespace polygraphy {

class SetRuns {
 public:
  virtual ~SetRuns() = default;

  virtual size_t samples() const = 0;
  // The sets of the next calls of run(), in this order: several may run together.
  virtual void expect(std::vector<std::vector<bool>> sets) { static_cast<void>(sets); }
  // The outputs of a sample with these layers quantised. Throws Error, RunnerFailure, Interrupted.
  virtual ArrayMap run(const std::vector<bool>& quantized, size_t sample) = 0;
};

}  // namespace polygraphy
