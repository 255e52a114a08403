#include "graphsurgeon/onnx/inference/inferred_values.h"

#include <onnx/onnx_pb.h>

#include "graphsurgeon/onnx/inference/type_message.h"

namespace graphsurgeon {

namespace {

DataType type_of(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type()) return DataType::kUndefined;
  return static_cast<DataType>(type->tensor_type().elem_type());
}

}  // namespace

std::optional<KnownValues> InferredValues::values(size_t i) {
  if (!has_input(i)) return std::nullopt;
  return context_.body().known_values(*node().inputs()[i]);
}

std::optional<DimList> InferredValues::shape(size_t i) {
  return has_input(i) ? dims_of(context_.getInputType(i)) : std::nullopt;
}

DataType InferredValues::type(size_t i) {
  return has_input(i) ? type_of(context_.getInputType(i)) : DataType::kUndefined;
}

std::optional<DimList> InferredValues::result_shape() {
  return dims_of(context_.body().type(*node().outputs()[0]));
}

DataType InferredValues::result_type() {
  return type_of(context_.body().type(*node().outputs()[0]));
}

}  // namespace graphsurgeon
