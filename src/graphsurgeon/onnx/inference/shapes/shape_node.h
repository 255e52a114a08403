// A node that gets sharper output shapes. Only for the sources of this library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/onnx/inference/inferred_values.h"
#include "graphsurgeon/sizes/size_algebra.h"

namespace graphsurgeon {

class ShapeNode {
 public:
  ShapeNode(NodeContext& context, SizeAlgebra& sizes)
      : context_(context), known_(context), sizes_(sizes) {}

  SizeAlgebra& sizes() const { return sizes_; }

  std::string_view op() const { return context_.node().op(); }
  size_t outputs() const { return context_.getNumOutputs(); }
  bool has_input(size_t i) const { return context_.hasInput(i); }
  std::optional<DimList> input(size_t i) { return known_.shape(i); }
  // The elements of a vector or scalar.
  std::optional<DimList> elements(size_t i);
  // Parameters that are attributes in old versions of the operator, then inputs.
  std::optional<DimList> parameter(std::string_view attribute, size_t input);
  std::optional<std::vector<int64_t>> numbers(std::string_view attribute, size_t input);

  int64_t integer(std::string_view name, int64_t otherwise) const {
    return known_.integer(name, otherwise);
  }
  std::optional<std::vector<int64_t>> integers(std::string_view name) const {
    return known_.integers(name);
  }
  std::string_view text(std::string_view name, std::string_view otherwise) const;

  // Whether the output's shape has a dimension without size and name, or no rank.
  bool is_open(size_t output) const;
  // Fills in open dimensions, where the ranks agree.
  void fill(size_t output, const DimList& dims);

 private:
  NodeContext& context_;
  InferredValues known_;
  SizeAlgebra& sizes_;
};

using ShapeRow = OperatorRow<ShapeFunction>;

}  // namespace graphsurgeon
