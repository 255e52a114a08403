// The error of correct engines, from stochastic evaluations.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/array.h"
#include "base/record.h"
#include "polygraphy/diagnosis/locate/judging/number_kinds.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The largest over the stochastic evaluations of a sample.
struct Noise {
  double norm = 0, largest = 0;
  double unmasked_norm = 0, unmasked_largest = 0;  // beside a mask (unmasked.h)
  NumberKinds kinds = {};  // with elements: the format cannot hold some numbers
  // The most by which each size of the shape changed; empty: none did.
  std::vector<int64_t> resized = {};
  // float32, of each element; without elements: not kept, or the shapes differ.
  Array of_elements = {};
};

// In records of parts.
constexpr auto record_of(RecordOf<Noise>) {
  return record<Noise>("Noise", "The noise of a sample.", internal("largest", &Noise::largest));
}

// Adds an evaluation of a tensor whose exact value is known. O(elements).
void add_noise(Noise& noise, const Array& exact, const Array& observed, NumberFormat format);

// The noise of elements takes as much memory as the tensor.
inline void forget_elements(std::vector<Noise>& of_samples) {
  for (Noise& noise : of_samples) noise.of_elements = {};
}

// The error / the noise of each element: the largest that at least 1 % of the elements, and two of
// them, exceed. Small numbers beside large ones count as much as these. 0: the noise of elements is
// not known. `floor`: the fraction of each number that always counts as noise. O(elements).
double ratio_of_elements(const Array& reference, const Array& observed, const Noise& noise,
                         double floor);

}  // namespace polygraphy
