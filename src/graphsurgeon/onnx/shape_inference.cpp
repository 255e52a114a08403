#include "graphsurgeon/onnx/shape_inference.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/onnx/stripped_model.h"
#include "graphsurgeon/onnx/type_inference.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kModule = "backend/onnx/loader.py";

bool uses_default_domain(const onnx::GraphProto& main) {
  std::vector<const onnx::GraphProto*> todo = {&main};
  while (!todo.empty()) {
    const onnx::GraphProto* graph = todo.back();
    todo.pop_back();
    for (const auto& node : graph->node()) {
      if (node.domain().empty() || node.domain() == "ai.onnx") return true;
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) todo.push_back(&attribute.g());
        for (const auto& subgraph : attribute.graphs()) todo.push_back(&subgraph);
      }
    }
  }
  return false;
}

Opsets opsets_of(const Model& model, const onnx::ModelProto& proto, polygraphy::Logger& logger) {
  Opsets opsets = opsets_of(model.opset_imports);
  if (!opsets.contains("") && uses_default_domain(proto.graph())) {
    const int64_t version = model.ir_version < 3 ? 1 : latest_opset().value();
    opsets[""] = version;
    if (model.ir_version >= 3) {
      logger.warning(kModule,
                     display_name(model) +
                         " does not say which version of the ONNX operators it uses; shape "
                         "inference takes opset " +
                         std::to_string(version));
    }
  }
  return opsets;
}

DimList dims_of(const onnx::TensorShapeProto& shape) {
  DimList dims;
  for (const auto& dim : shape.dim()) {
    if (dim.has_dim_value()) {
      dims.emplace_back(dim.dim_value());
    } else if (dim.has_dim_param() && !dim.dim_param().empty()) {
      dims.emplace_back(std::string_view(dim.dim_param()));
    } else {
      dims.emplace_back();
    }
  }
  return dims;
}

TypeKind kind_of(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return TypeKind::kTensor;
    case onnx::TypeProto::kSequenceType:
      return TypeKind::kSequence;
    case onnx::TypeProto::kMapType:
      return TypeKind::kMap;
    case onnx::TypeProto::kOptionalType:
      return TypeKind::kOptional;
    case onnx::TypeProto::kSparseTensorType:
      return TypeKind::kSparseTensor;
    case onnx::TypeProto::kOpaqueType:
      return TypeKind::kOpaque;
    default:
      return TypeKind::kNone;
  }
}

// Returns whether anything is new. Tensors that stay as they are are not touched, so that a model
// that says it all already counts as unedited.
bool write_back(const onnx::TypeProto& type, Tensor& tensor) {
  if (tensor.is_constant() || type.value_case() == onnx::TypeProto::VALUE_NOT_SET) return false;
  if (!type.has_tensor_type()) {
    const std::string encoded = type.SerializeAsString();
    if (kind_of(type) == tensor.type_kind() && encoded == tensor.type_proto()) return false;
    tensor.set_type_proto(kind_of(type), tensor.store().keep(encoded));
    return true;
  }
  const auto dtype = static_cast<DataType>(type.tensor_type().elem_type());
  std::optional<DimList> shape;
  if (type.tensor_type().has_shape()) shape = dims_of(type.tensor_type().shape());
  const bool has_type = dtype != DataType::kUndefined;
  if (!has_type && !shape) return false;
  const bool new_type = has_type && dtype != tensor.dtype();
  const bool new_shape = shape && shape != tensor.shape();
  if (!new_type && !new_shape) return false;
  const bool has_denotation = !tensor.type_proto().empty();
  if (new_type) tensor.set_dtype(dtype);
  if (new_shape) tensor.set_shape(std::move(shape));
  if (has_denotation) {
    tensor.set_type_proto(TypeKind::kTensor, tensor.store().keep(type.SerializeAsString()));
  }
  return true;
}

size_t write_back(const onnx::GraphProto& proto, Graph& graph) {
  size_t changed = 0;
  const auto tensors = graph.tensor_map();
  for (const auto* infos : {&proto.input(), &proto.output(), &proto.value_info()}) {
    for (const auto& info : *infos) {
      const auto found = tensors.find(info.name());
      if (found != tensors.end()) changed += write_back(info.type(), *found->second);
    }
  }
  return changed;
}

// The message's graphs and ours have the same nodes and attributes in the same order.
size_t write_back_all(const onnx::GraphProto& main_proto, Graph& main) {
  size_t changed = 0;
  std::vector<std::pair<const onnx::GraphProto*, Graph*>> todo = {{&main_proto, &main}};
  while (!todo.empty()) {
    const auto [proto, graph] = todo.back();
    todo.pop_back();
    changed += write_back(*proto, *graph);
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      if (!graph->nodes()[i]->has_subgraphs()) continue;
      const std::vector<GraphRef> subgraphs = graph->nodes()[i]->subgraphs();
      std::vector<const onnx::GraphProto*> messages;
      for (const auto& attribute : proto->node(static_cast<int>(i)).attribute()) {
        if (attribute.has_g()) messages.push_back(&attribute.g());
        for (const auto& subgraph : attribute.graphs()) messages.push_back(&subgraph);
      }
      for (size_t k = 0; k < std::min(messages.size(), subgraphs.size()); ++k) {
        todo.emplace_back(messages[k], subgraphs[k].get());
      }
    }
  }
  return changed;
}

}  // namespace

InferResult infer_shapes(Model& model, const InferOptions& options, polygraphy::Logger& logger) {
  logger.verbose(kModule, "Starting shape inference");
  InferResult result;
  try {
    // On an arena: hundreds of thousands of small messages are made and dropped here.
    google::protobuf::Arena arena;
    auto& proto = *google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
    to_stripped_proto(model, proto);
    const Opsets opsets = opsets_of(model, proto, logger);
    result.problems = infer_types(proto, opsets, {.follow_values = options.data_propagation});
    result.changed = write_back_all(proto.graph(), *model.graph);
  } catch (const polygraphy::Error& error) {
    logger.warning(kModule,
                   std::string("ONNX shape inference exited with an error:\n") + error.what());
    result.problems.emplace_back(error.what());
    return result;
  }
  for (const std::string& problem : result.problems) {
    logger.extra_verbose(kModule, "Shape inference failed for " + problem);
  }
  logger.verbose(kModule, "Shape inference completed successfully");
  return result;
}

}  // namespace graphsurgeon
