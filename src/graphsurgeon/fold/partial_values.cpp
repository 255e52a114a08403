#include "graphsurgeon/fold/partial_values.h"

#include <algorithm>
#include <utility>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/sizes/constant_values.h"

namespace graphsurgeon {

namespace {

bool is_shape_node(const Node* node) {
  return node != nullptr && node->op() == "Shape" && is_default_domain(node->domain());
}

class FoldedValues final : public ValueNode {
 public:
  FoldedValues(const Node& node, FoldContext& context) : node_(node), context_(context) {}

  const Node& node() const override { return node_; }
  const Attribute* attribute(std::string_view name) const override {
    const Attribute* attribute = node_.attribute(name);
    return attribute != nullptr && attribute->ref_attr_name.empty() ? attribute : nullptr;
  }
  bool has_input(size_t i) const override { return input_at(node_, i) != nullptr; }
  std::optional<KnownValues> values(size_t i) override {
    const Tensor* tensor = input_at(node_, i);
    if (tensor == nullptr) return std::nullopt;
    if (const PayloadPtr values = context_.value(*tensor)) {
      return constant_values(*values, tensor->name());
    }
    // Inference knows more, such as names of open dimensions; without it, only the node does.
    const bool inferred = tensor->shape() && context_.elements(*tensor) != nullptr;
    const Node* producer = tensor->producer();
    if (!inferred && is_shape_node(producer)) {
      FoldedValues shape_node(*producer, context_);
      return propagated_values(value_function("Shape"), shape_node, context_.sizes());
    }
    return context_.known_values(*tensor);
  }
  std::optional<DimList> shape(size_t i) override {
    const Tensor* tensor = input_at(node_, i);
    if (tensor == nullptr) return std::nullopt;
    const PayloadPtr values = context_.value(*tensor);
    return values ? DimList(values->shape().begin(), values->shape().end()) : tensor->shape();
  }
  DataType type(size_t i) override {
    const Tensor* tensor = input_at(node_, i);
    return tensor != nullptr ? tensor->dtype() : DataType::kUndefined;
  }
  std::optional<DimList> result_shape() override { return node_.outputs()[0]->shape(); }
  DataType result_type() override {
    const DataType declared = node_.outputs()[0]->dtype();
    if (declared != DataType::kUndefined || node_.op() != "Cast") return declared;
    return static_cast<DataType>(integer("to", 0));
  }

 private:
  const Node& node_;
  FoldContext& context_;
};

bool holds_integers(DataType type) {
  return type == DataType::kInt64 || type == DataType::kInt32 || type == DataType::kBool;
}

// Operators that select elements of a shape keep its type.
DataType type_of_result(const Node& node) {
  const DataType declared = node.outputs()[0]->dtype();
  const bool selects = node.op() == "Gather" || node.op() == "Slice";
  const bool is_of_shape = selects && is_shape_node(node.inputs()[0]->producer());
  return declared == DataType::kUndefined && is_of_shape ? DataType::kInt64 : declared;
}

Array array_of(const KnownValues& values, DataType type) {
  Array array = Array::zeros(type, values.shape);
  for (size_t i = 0; i < values.elements.size(); ++i) {
    const int64_t value = values.elements[i].value();
    if (type == DataType::kInt64) {
      reinterpret_cast<int64_t*>(array.mutable_data())[i] = value;
    } else if (type == DataType::kInt32) {
      reinterpret_cast<int32_t*>(array.mutable_data())[i] = static_cast<int32_t>(value);
    } else {
      array.mutable_data()[i] = static_cast<std::byte>(value != 0 ? 1 : 0);
    }
  }
  return array;
}

}  // namespace

bool fold_partial_values(Node& node, FoldContext& context) {
  if (node.inputs().empty() || node.outputs().size() != 1) return false;
  const ValueFunction function = value_function(node.op());
  if (function == nullptr) return false;
  FoldedValues inputs(node, context);
  auto values = propagated_values(function, inputs, context.sizes());
  if (!values) return false;
  const bool is_complete = std::all_of(values->elements.begin(), values->elements.end(),
                                       [](const Dim& d) { return d.has_value(); });
  if (!is_complete) {
    context.set_elements(*node.outputs()[0], std::move(values->elements));
    return false;
  }
  const DataType type = type_of_result(node);
  if (!holds_integers(type)) return false;
  return context.produce({owned_payload(array_of(*values, type))});
}

}  // namespace graphsurgeon
