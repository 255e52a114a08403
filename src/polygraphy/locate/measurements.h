// What is measured of each tensor of a model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "polygraphy/locate/node_finding.h"

namespace polygraphy {

// The largest over the stochastic evaluations of a sample.
struct Noise {
  double norm = 0, largest = 0;
  bool torn = false;  // NaNs or infinities where the reference has none: the format cannot hold it
};

inline void add_noise(Noise& noise, const TensorError& error) {
  noise.norm = std::max(noise.norm, error.norm);
  noise.largest = std::max(noise.largest, error.largest);
  noise.torn |= error.non_finite_mismatches > 0 || !error.incomparable.empty();
}

// Of one tensor that a node makes. Errors are those of the sample with the worst ratio.
struct TensorMeasurement {
  std::vector<Noise> accumulated_noise, isolated_noise,
      neighbours_noise;  // by sample; may be empty
  std::optional<JudgedError> accumulated, isolated, neighbours;
  int64_t accumulated_sample = 0, isolated_sample = 0;
  double sum_length = 1;       // numbers added up for one of it, by its node (reduction_length.h)
  double longest_sum = 1;      // by all nodes that it depends on
  bool counts_floats = false;  // whole numbers that its node makes of floating-point ones
  double magnitude = 0;        // the largest that the reference computes, over all samples
  double accumulated_relative = 0;          // the largest relative error, over all samples
  std::optional<NumberFormat> format = {};  // of its numbers on the target
  std::string note = {};                    // why it has not been run alone
};

using Measurements = std::unordered_map<std::string, TensorMeasurement>;

}  // namespace polygraphy
