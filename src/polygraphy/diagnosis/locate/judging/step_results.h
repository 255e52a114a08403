// Results that are right or wrong: whole numbers, indices and answers computed from floating-point
// numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy {

// An input of such a node on the reference, and the distance that a correct engine's may have.
struct StepInput {
  const Array* values = nullptr;  // null: not known
  double distance = 0;            // absolute
  double relative = 0;            // to each number
  bool exact = false;             // it reads these very numbers
  const Array* noises = nullptr;  // float32, of each number; null: not known
};

// Elements of a result that differ.
struct Flips {
  int64_t different = 0;
  int64_t unexplained = 0;  // no tie within the distance explains the difference
  // Of equal numbers, ONNX asks for another one: the one with the lower index, or the last one.
  int64_t misordered = 0;
};

// Whether count_flips() knows the operator.
bool is_step(std::string_view op);

// Of result `output` of a node: Cast to integers, Floor, Ceil, Round, Sign, QuantizeLinear,
// DynamicQuantizeLinear, comparisons, ArgMax, ArgMin, the indices of TopK. nullopt: another node,
// or the inputs or shapes are not known. O(elements).
std::optional<Flips> count_flips(const graphsurgeon::Node& node, size_t output,
                                 const std::vector<StepInput>& inputs, const Array& reference,
                                 const Array& observed);

// Whether the indices of a NonMaxSuppression name a batch, class or box that its inputs do not
// have: no rounding does that. False: the inputs are not known. O(indices).
bool names_nothing(const std::vector<StepInput>& inputs, const Array& indices);

// Whether results of the node follow from the shapes of its inputs alone.
bool reads_shapes_only(const graphsurgeon::Node& node);

}  // namespace polygraphy
