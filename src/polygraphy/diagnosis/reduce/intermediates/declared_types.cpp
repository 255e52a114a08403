#include "polygraphy/diagnosis/reduce/intermediates/declared_types.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TypeKind;

// How many outputs of a node are the last values of what its body carries along.
size_t carried_by(const Node& node) {
  const size_t inputs = node.inputs().size();
  if (node.op() == "Loop") return inputs < 2 ? 0 : inputs - 2;
  if (node.op() != "Scan") return node.outputs().size();
  const auto scanned = static_cast<size_t>(
      std::max<int64_t>(graphsurgeon::int_attribute(node, "num_scan_inputs", 0), 0));
  return inputs < scanned ? 0 : inputs - scanned;
}

// Only numbers that both say: names mean something else in another model.
std::optional<DimList> common(const std::optional<DimList>& a, const std::optional<DimList>& b) {
  if (!a || !b || a->size() != b->size()) return std::nullopt;
  DimList dims = *a;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool equal =
        dims[i].is_static() && (*b)[i].is_static() && dims[i].value() == (*b)[i].value();
    if (!equal) dims[i] = Dim();
  }
  return dims;
}

// The type of a node's output, derived from the declared output of its body; nullopt: not declared.
std::optional<TensorInfo> outside(const Tensor& declared, const Node& node, size_t output) {
  if (declared.type_kind() != TypeKind::kTensor || declared.dtype() == DataType::kUndefined) {
    return std::nullopt;
  }
  TensorInfo info;
  info.dtype = declared.dtype();
  info.shape = common(declared.shape(), declared.shape());
  if (output < carried_by(node)) return info;
  const graphsurgeon::Attribute* axes = node.attribute("scan_output_axes");
  if (axes || !info.shape) {
    info.shape.reset();  // an axis somewhere
  } else {
    info.shape->insert(info.shape->begin(), Dim());
  }
  return info;
}

std::optional<TensorInfo> declared_by_bodies(const Node& node, size_t output) {
  std::optional<TensorInfo> all;
  const size_t first = node.op() == "Loop" ? 1 : 0;  // behind the condition
  for (const auto& body : node.subgraphs()) {
    if (first + output >= body->outputs().size()) return std::nullopt;
    auto info = outside(*body->outputs()[first + output], node, output);
    if (!info || (all && all->dtype != info->dtype)) return std::nullopt;
    if (all) info->shape = common(all->shape, info->shape);
    all = std::move(info);
  }
  return all;
}

void declare(Node& node) {
  if (node.op() != "If" && node.op() != "Loop" && node.op() != "Scan") return;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    Tensor& tensor = *node.outputs()[i];
    if (tensor.is_empty() || tensor.is_constant() || tensor.type_kind() != TypeKind::kTensor ||
        (tensor.dtype() != DataType::kUndefined && tensor.shape())) {
      continue;
    }
    const auto info = declared_by_bodies(node, i);
    if (!info || (tensor.dtype() != DataType::kUndefined && tensor.dtype() != info->dtype)) {
      continue;
    }
    tensor.set_dtype(info->dtype);
    tensor.set_shape(info->shape);
  }
}

}  // namespace

Metadata declared_types(const Model& model) {
  Model copy = graphsurgeon::copy(model);
  Metadata result;
  graphsurgeon::infer_shapes(copy, {}, log_or_silence(nullptr));
  for (Graph* graph : graphsurgeon::inner_graphs_first(*copy.graph)) {
    for (const auto& node : graph->nodes()) declare(*node);
  }
  graphsurgeon::infer_shapes(copy, {}, log_or_silence(nullptr));
  for (const auto& [name, tensor] : copy.graph->tensor_map()) {
    if (tensor->type_kind() != TypeKind::kTensor || tensor->dtype() == DataType::kUndefined) {
      continue;
    }
    TensorInfo info;
    info.dtype = tensor->dtype();
    info.shape = common(tensor->shape(), tensor->shape());
    result.set(std::string(name), std::move(info));
  }
  return result;
}

}  // namespace polygraphy
