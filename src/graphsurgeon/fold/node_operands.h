// Helpers of fold rules: a node's inputs and attributes, axes, broadcasting.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/node_inputs.h"

namespace graphsurgeon {

// nullopt where there is no such attribute of this type.
std::optional<std::vector<int64_t>> ints_attribute(const Node& node, std::string_view name);

// Element types that the kernels here move (whole bytes, no strings).
bool is_movable(DataType type);

// The decided values of an input that is there, contiguous and aligned, up to kSmallBytes.
std::optional<Array> small_value(const Node& node, size_t i, FoldContext& context);
// The same for integers, as int64, in C order.
std::optional<std::vector<int64_t>> int_values(const Node& node, size_t i, FoldContext& context);
// Parameters that were attributes first and became inputs: the attribute if there is one, else the
// input. Sets `missing` when there is neither, so that the operator's default counts.
std::optional<std::vector<int64_t>> int_parameter(const Node& node, std::string_view attribute,
                                                  size_t input, FoldContext& context,
                                                  bool& missing);

// One value for all elements: of a splat, or of one element.
bool repeats_one_value(const Payload& payload);
// That value, of rank 0.
Array repeated_value(const Payload& payload, std::string_view tensor);
// A splat where that is smaller, else an array. `value` has one element.
PayloadPtr repeated(const Array& value, Shape shape);

// The inputs of an operator that works element by element and broadcasts. Where each of them
// repeats one value, only these are in `values`, each of rank 0, and the result repeats theirs.
struct Elementwise {
  std::vector<Array> values;
  Shape shape;  // of the result
  bool is_repeated = false;

  // Wraps the result for values of work_shape().
  PayloadPtr result(Array computed) const;
  Shape work_shape() const { return is_repeated ? Shape{} : shape; }
};
// nullopt: some input is not decided or too large.
std::optional<Elementwise> elementwise_inputs(const Node& node, FoldContext& context);

}  // namespace graphsurgeon
