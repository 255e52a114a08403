#include "polygraphy/models/candidates/well_formed.h"

#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/inline_functions.h"
#include "graphsurgeon/passes/override_input_shapes.h"

namespace polygraphy {
namespace {

using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;

bool is_known(const Model& model, const Node& node) {
  const auto version = graphsurgeon::imported_version(model.opset_imports, node.domain());
  return (version && graphsurgeon::find_schema(node.op(), *version, node.domain())) ||
         graphsurgeon::called_function(model, node) != nullptr;
}

// A dimension of 0 or less, as where a window is larger than its input.
bool has_impossible_shape(const Tensor& tensor) {
  const DimList* shape = tensor.declared_shape();
  if (!shape) return false;
  for (const graphsurgeon::Dim& dim : *shape) {
    if (dim.has_value() && dim.value() <= 0) return true;
  }
  return false;
}

// The number of elements, if it is known.
std::optional<int64_t> elements_of(const Tensor& tensor) {
  const auto shape = tensor.shape();
  if (!shape) return std::nullopt;
  int64_t count = 1;
  for (const graphsurgeon::Dim& dim : *shape) {
    if (!dim.is_static() || __builtin_mul_overflow(count, dim.value(), &count)) return std::nullopt;
  }
  return count;
}

// Inference takes the word of the shape that a Reshape is given.
bool is_impossible_reshape(const Node& node) {
  if (node.op() != "Reshape" || node.inputs().empty() || node.outputs().empty()) return false;
  const auto before = elements_of(*node.inputs()[0]), after = elements_of(*node.outputs()[0]);
  return before && after && *before != *after;
}

size_t impossible_shapes(const Model& model) {
  size_t count = 0;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* output : node->outputs()) count += has_impossible_shape(*output) ? 1 : 0;
      count += is_impossible_reshape(*node) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

size_t infer_anew(Model& model) {
  std::vector<std::pair<Tensor*, DimList>> declared;
  const auto keep = [&](Tensor& tensor) {
    if (tensor.is_empty() || tensor.is_constant() || !tensor.declared_shape()) return;
    declared.emplace_back(&tensor, *tensor.declared_shape());
  };
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    if (graph != model.graph.get()) {
      for (const graphsurgeon::TensorRef& input : graph->inputs()) keep(*input);
    }
    for (const NodeRef& node : graph->nodes()) {
      if (is_known(model, *node)) continue;
      for (Tensor* output : node->outputs()) keep(*output);
    }
  }
  std::vector<std::pair<Tensor*, size_t>> ranks;
  for (const graphsurgeon::TensorRef& output : model.graph->outputs()) {
    if (!output->is_constant() && output->declared_shape()) {
      ranks.emplace_back(output.get(), output->declared_shape()->size());
    }
  }
  graphsurgeon::override_input_shapes(model, {});
  for (auto& [tensor, shape] : declared) tensor->set_shape(std::move(shape));
  const size_t problems =
      graphsurgeon::infer_shapes(model, {}, log_or_silence(nullptr)).problems.size();
  // A result of a loop may have other dimensions each time, but the same rank.
  for (auto& [tensor, rank] : ranks) {
    if (!tensor->declared_shape()) tensor->set_shape(DimList(rank));
  }
  return problems + impossible_shapes(model);
}

void WellFormed::look() {
  if (problems_) return;
  Model copy = graphsurgeon::copy(failing_);
  problems_ = infer_anew(copy);
  has_complaint_ = !graphsurgeon::checker_complaint(copy).empty();
}

bool WellFormed::accepts(Model& candidate) {
  look();
  if (infer_anew(candidate) > *problems_) return false;
  return has_complaint_ || graphsurgeon::checker_complaint(candidate).empty();
}

bool WellFormed::is_contradiction() {
  look();
  return *problems_ > 0;
}

}  // namespace polygraphy
