// A node of a body, for the propagation of values. Only for the sources of this library.
#pragma once

#include "graphsurgeon/onnx/inference/node_context.h"
#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

class InferredValues final : public ValueNode {
 public:
  explicit InferredValues(NodeContext& context) : context_(context) {}

  const Node& node() const override { return context_.node(); }
  const Attribute* attribute(std::string_view name) const override {
    return context_.body().attribute(context_.node(), name);
  }
  bool has_input(size_t i) const override { return context_.hasInput(i); }
  std::optional<KnownValues> values(size_t i) override;
  std::optional<DimList> shape(size_t i) override;
  DataType type(size_t i) override;
  std::optional<DimList> result_shape() override;
  DataType result_type() override;

 private:
  NodeContext& context_;
};

}  // namespace graphsurgeon
