// Properties of tensors that need no look at all of their elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

struct TensorTraits {
  std::string name;
  DataType dtype = DataType::kUndefined;
  Shape shape;
  int64_t size = 0;
  // Real floats, enough of them: a few may well be equal or zero. Else no trait below is set.
  bool floats = false;
  bool zeros = false;  // all are 0
  bool nans = false;   // all are NaN
  // Elements at equal distances, at most 64: of two tensors of one size at the same places.
  std::vector<double> sample = {};

  // All elements of the sample are equal.
  bool constant() const;
};

// O(1) for most tensors; O(elements) where the sample is all zero or NaN.
TensorTraits traits_of(std::string name, const Array& array);

// The only axis in which `tensor` is larger than `partner`, which is as large in all others;
// dimensions of 1 count in neither. nullopt: such an axis is missing.
std::optional<size_t> longer_axis(const TensorTraits& tensor, const TensorTraits& partner);

// Whether the parts of an array behind an axis, such as the rows of a matrix for axis 0, are all
// alike: within a hundredth of the first one's largest element. Looks at 64 parts, at most.
bool alike_behind(const Array& array, size_t axis);

}  // namespace polygraphy
