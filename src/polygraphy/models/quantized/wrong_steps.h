// Scales and zero points that do not belong to the numbers of a quantised weight.
#pragma once

#include <cstdint>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// A group of numbers that has another scale or zero point than the weight before it was quantised
// says.
struct WrongSteps {
  int64_t channel = 0;
  int64_t block = -1;  // -1: the channel is one group
  bool of_zero_point = false;
  double in_model = 0, by_weight = 0;
};

// Of the weight of a node (visit_quantized_numbers()), by the weight in floating point that it was
// made of, float32 in its shape. With a wrong scale, all numbers of a group are off by one factor;
// with a wrong zero point by one or more whole steps; with the right one they are within half a
// step on average. Rounding and clipping of any kind explain neither, and no quantiser does that to
// a group alone: GPTQ moves numbers by up to ten steps, each by another one, and AWQ and
// SmoothQuant rescale most groups. Whole weights that are rescaled are not judged, nor groups with
// few numbers. Throws Error for external data that cannot be read. O(elements).
std::vector<WrongSteps> wrong_steps(const graphsurgeon::Node& node, const Array& original);

}  // namespace polygraphy
