#include "graphsurgeon/onnx/inference/shape_agreement.h"

#include <onnx/onnx_pb.h>

namespace graphsurgeon {

using onnx::TypeProto;

namespace {

bool are_same(const onnx::TensorShapeProto::Dimension& a,
              const onnx::TensorShapeProto::Dimension& b) {
  if (a.has_dim_value()) return b.has_dim_value() && a.dim_value() == b.dim_value();
  return !a.dim_param().empty() && a.dim_param() == b.dim_param();
}

}  // namespace

bool has_shape(const TypeProto& type) {
  return type.has_tensor_type() && type.tensor_type().has_shape();
}

bool weaken(TypeProto& assumed, const TypeProto* found) {
  if (!has_shape(assumed)) return false;
  auto& shape = *assumed.mutable_tensor_type()->mutable_shape();
  if (found == nullptr || !has_shape(*found) ||
      found->tensor_type().shape().dim_size() != shape.dim_size()) {
    assumed.mutable_tensor_type()->clear_shape();
    return true;
  }
  bool less = false;
  for (int i = 0; i < shape.dim_size(); ++i) {
    auto& dim = *shape.mutable_dim(i);
    const bool is_known = dim.has_dim_value() || !dim.dim_param().empty();
    if (!is_known || are_same(dim, found->tensor_type().shape().dim(i))) continue;
    dim.Clear();
    less = true;
  }
  return less;
}

void take_sizes(const TypeProto& declared, TypeProto& given) {
  if (!has_shape(declared) || !has_shape(given)) return;
  const auto& sizes = declared.tensor_type().shape();
  auto& shape = *given.mutable_tensor_type()->mutable_shape();
  if (sizes.dim_size() != shape.dim_size()) return;
  for (int i = 0; i < shape.dim_size(); ++i) {
    if (!shape.dim(i).has_dim_value() && sizes.dim(i).has_dim_value()) {
      *shape.mutable_dim(i) = sizes.dim(i);
    }
  }
}

}  // namespace graphsurgeon
