// Tensors that are small enough to be shapes, of which some elements are known, and the results
// that nodes make of them: Shape, Gather, Concat, arithmetic …
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/sizes/size_algebra.h"

namespace graphsurgeon {

// More elements are data, not shapes, axes or scales.
inline constexpr int64_t kMostElements = 1024;

// Integers, bools (0 and 1), and fractions on their way from integers to integers.
struct KnownValues {
  std::vector<int64_t> shape;
  DimList elements;  // in C order, each a number, a formula (size_algebra.h), or unknown
};

// A node with the known facts about its tensors.
class ValueNode {
 public:
  virtual ~ValueNode() = default;

  virtual const Node& node() const = 0;
  // Null: the node lacks the attribute.
  virtual const Attribute* attribute(std::string_view name) const = 0;
  virtual bool has_input(size_t i) const = 0;
  // Unknown elements where nothing else is known. nullopt: too many, or their number is unknown.
  virtual std::optional<KnownValues> values(size_t i) = 0;
  virtual std::optional<DimList> shape(size_t i) = 0;  // of an input
  virtual DataType type(size_t i) = 0;                 // of an input
  virtual std::optional<DimList> result_shape() = 0;   // of the first output
  virtual DataType result_type() = 0;

  // With defaults where there is no such attribute of this type.
  int64_t integer(std::string_view name, int64_t otherwise) const;
  std::optional<std::vector<int64_t>> integers(std::string_view name) const;
  // Where all elements are known numbers.
  std::optional<std::vector<int64_t>> numbers(size_t i);
};

// Of an operator of the default domain.
using ValueFunction = std::optional<KnownValues> (*)(ValueNode& node, SizeAlgebra& sizes);

// A row of a table of operators and their functions.
template <typename Function>
struct OperatorRow {
  std::string_view op;
  Function function;
};
// Null: no row has this operator. O(rows).
template <typename Rows>
auto function_of(const Rows& rows, std::string_view op) {
  for (const auto& row : rows) {
    if (row.op == op) return row.function;
  }
  return decltype(rows.begin()->function)(nullptr);
}

// Null: values are not followed through the operator.
ValueFunction value_function(std::string_view op);
// The values of the first output by the function of the node's operator. nullopt: not one is known.
std::optional<KnownValues> propagated_values(ValueFunction function, ValueNode& node,
                                             SizeAlgebra& sizes);

int64_t element_count(const std::vector<int64_t>& shape);
// nullopt: a dimension is open, or there are too many elements.
std::optional<std::vector<int64_t>> static_shape(const std::optional<DimList>& shape);
// In [0, rank); nullopt: out of range.
std::optional<size_t> axis_of(int64_t axis, size_t rank);

}  // namespace graphsurgeon
