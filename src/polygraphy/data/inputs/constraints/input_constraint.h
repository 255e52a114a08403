// Input constraints: which values an operator accepts at its inputs, such as indices inside an
// axis. One file per family of operators under operators/; each defines one descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/constraints/value_range.h"

namespace polygraphy {

// A node for which constraints are collected, and static facts about its inputs.
class ConstraintContext {
 public:
  virtual ~ConstraintContext() = default;

  virtual const graphsurgeon::Node& node() const = 0;
  // The values of input `i` may be `range` only. `role`: "indices into axis 0 of 'table'". Nothing
  // happens where the node has no such input, or it is a constant.
  virtual void constrain(size_t i, ValueRange range, const std::string& role) = 0;

  // An axis of input `i` has to be `least` long: "reflected pads". Negative axes count from the
  // end.
  virtual void constrain_size(size_t /*i*/, int64_t /*axis*/, int64_t /*least*/,
                              const std::string& /*role*/) {}

  bool has(size_t i) const;
  std::string name_of(size_t i) const;  // quoted
  // Where known.
  std::optional<std::vector<int64_t>> shape(size_t i) const;  // all dimensions
  // The shape of an output: inferred, else declared by the model.
  virtual std::optional<std::vector<int64_t>> output_shape(size_t i) const = 0;
  std::optional<int64_t> rank(size_t i) const;
  std::optional<int64_t> dim(size_t i, int64_t axis) const;  // negative axes count from the end
  std::optional<int64_t> elements(size_t i) const;
  // Of constants of up to 64 Ki elements, numbers only.
  std::optional<std::vector<double>> values(size_t i) const;
  std::optional<int64_t> scalar(size_t i) const;  // of one element, a whole number
  int64_t attribute(std::string_view name, int64_t otherwise) const;
  std::string text_attribute(std::string_view name, std::string_view otherwise) const;

  // Indices into an axis of input `data`, negative ones left out. Constant ones require a length.
  void constrain_to_indices(size_t i, size_t data, int64_t axis, bool distinct = false);
  // Whole numbers, both ends included.
  void constrain_to_range(size_t i, int64_t low, int64_t high, const std::string& role);
  // A list of numbers that leaves no choice.
  void constrain_to_values(size_t i, const std::vector<int64_t>& values, const std::string& role);
};

struct InputConstraint {
  std::string_view domain = {};  // of the operators; "" is the default one
  std::span<const std::string_view> ops;
  void (*add)(ConstraintContext& node);
};

// By domain and operator.
class ConstraintTable {
 public:
  ConstraintTable();
  void add_constraints(ConstraintContext& context) const;

 private:
  std::unordered_map<std::string, std::vector<const InputConstraint*>> constraints_;
};

// All dimensions, where they are known; null: not.
std::optional<std::vector<int64_t>> static_shape(const graphsurgeon::Tensor* tensor);

// In alphabetical order of their files.
std::span<const InputConstraint* const> input_constraints();

// The values of a constant as numbers; nullopt for variables, texts and more than 64 Ki elements.
// Throws Error for data that cannot be read.
std::optional<std::vector<double>> constant_values(const graphsurgeon::Tensor& tensor);
// The same as integers, each exactly; nullopt also where one is not a whole number.
std::optional<std::vector<int64_t>> constant_integers(const graphsurgeon::Tensor& tensor);

}  // namespace polygraphy
