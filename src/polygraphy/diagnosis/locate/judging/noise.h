// The error of correct engines, from stochastic evaluations.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/array.h"
#include "base/record.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

// The kinds of numbers, finite, NaN, infinity, negative infinity, that evaluations gave. uint8 of
// each element: four bits of the exact value and of all evaluations, four of those that each
// evaluation gave. Without elements: all evaluations had the kinds of the exact value.
using NumberKinds = Array;

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

// NaNs and infinities on one side only, or of another kind, that no evaluation explains: elements
// whose number on either side is of a kind that none had. Where an evaluation had NaN, any number
// may follow. Numbers of `largest` and more overflow: they may be their infinity, or NaN. 0 if each
// kind has as few of these elements as there are some that evaluations gave this kind and others
// did not, because few evaluations do not find all. O(elements).
int64_t unexplained_kinds(const NumberKinds& kinds, const Array& reference, const Array& observed,
                          double largest);

}  // namespace polygraphy
