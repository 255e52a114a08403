#include "graphsurgeon/onnx/inference/fresh_symbols.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/onnx/inference/type_message.h"

namespace graphsurgeon {

namespace {

template <typename Use>
void for_each_symbol(const onnx::TypeProto& type, Use use) {
  const auto visit = [&](const onnx::TensorShapeProto& shape) {
    for (const auto& dim : shape.dim()) {
      if (dim.has_dim_param()) use(dim.dim_param());
    }
  };
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return visit(type.tensor_type().shape());
    case onnx::TypeProto::kSparseTensorType:
      return visit(type.sparse_tensor_type().shape());
    case onnx::TypeProto::kSequenceType:
      return for_each_symbol(type.sequence_type().elem_type(), use);
    case onnx::TypeProto::kOptionalType:
      return for_each_symbol(type.optional_type().elem_type(), use);
    case onnx::TypeProto::kMapType:
      return for_each_symbol(type.map_type().value_type(), use);
    default:
      return;
  }
}

}  // namespace

std::string FreshSymbols::createNew(const std::string& prefix) {
  if (!collected_) collect(prefix);
  for (;;) {
    std::string name = prefix + std::to_string(next_++);
    if (!taken_.contains(name)) return name;
  }
}

void FreshSymbols::collect(const std::string& prefix) {
  collected_ = true;
  const auto add = [&](const std::string& name) {
    if (name.starts_with(prefix)) taken_.insert(name);
  };
  const auto look_at = [&](const Tensor& tensor) {
    if (!tensor.type_proto().empty()) {
      google::protobuf::Arena arena;
      if (const auto* type = type_message(tensor, arena)) for_each_symbol(*type, add);
    } else if (const DimList* shape = tensor.declared_shape()) {
      for (const Dim& dim : *shape) add(dim.param());
    }
  };
  for (const Graph* graph : all_graphs(model_)) {
    for (const auto* list : {&graph->inputs(), &graph->outputs(), &graph->value_infos()}) {
      for (const TensorRef& tensor : *list) look_at(*tensor);
    }
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* tensor : node->outputs()) look_at(*tensor);
    }
  }
}

}  // namespace graphsurgeon
