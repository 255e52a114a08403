#include "graphsurgeon/onnx/inference/shapes/shape_node.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <utility>

namespace graphsurgeon {

namespace {

bool is_unnamed(const onnx::TensorShapeProto::Dimension& dim) {
  return !dim.has_dim_value() && dim.dim_param().empty();
}

void fill_dim(const Dim& known, onnx::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value()) return;
  if (known.is_static()) {
    dim.set_dim_value(known.value());
  } else if (!known.has_value() && !known.param().empty() && is_unnamed(dim)) {
    dim.set_dim_param(known.param());
  }
}

}  // namespace

std::optional<DimList> ShapeNode::elements(size_t i) {
  auto values = known_.values(i);
  if (!values || values->shape.size() > 1) return std::nullopt;
  return std::move(values->elements);
}

std::optional<DimList> ShapeNode::parameter(std::string_view attribute, size_t input) {
  if (const auto given = integers(attribute)) return DimList(given->begin(), given->end());
  return elements(input);
}

std::optional<std::vector<int64_t>> ShapeNode::numbers(std::string_view attribute, size_t input) {
  if (auto given = integers(attribute)) return given;
  return known_.numbers(input);
}

std::string_view ShapeNode::text(std::string_view name, std::string_view otherwise) const {
  const Attribute* given = known_.attribute(name);
  const auto* value = given != nullptr ? std::get_if<std::string_view>(&given->value) : nullptr;
  return value != nullptr ? *value : otherwise;
}

bool ShapeNode::is_open(size_t output) const {
  if (!context_.hasOutput(output)) return false;
  const onnx::TypeProto* type = context_.found(output);
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return true;
  const auto& dims = type->tensor_type().shape().dim();
  return std::any_of(dims.begin(), dims.end(), is_unnamed);
}

void ShapeNode::fill(size_t output, const DimList& dims) {
  if (!context_.hasOutput(output) || context_.found(output) == nullptr) return;
  onnx::TypeProto& type = *context_.found(output);
  if (!type.has_tensor_type()) return;
  const bool had_rank = type.tensor_type().has_shape();
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  if (!had_rank) {
    for (size_t i = 0; i < dims.size(); ++i) shape.add_dim();
  }
  if (static_cast<size_t>(shape.dim_size()) != dims.size()) return;
  for (size_t i = 0; i < dims.size(); ++i)
    fill_dim(dims[i], *shape.mutable_dim(static_cast<int>(i)));
}

}  // namespace graphsurgeon
