#include "polygraphy/models/candidates/inner_outputs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/models/candidates/inline_body.h"
#include "polygraphy/models/candidates/node_names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr uint64_t kMostBytes = uint64_t{1} << 30;

bool is_static(const DimList& dims) {
  return std::ranges::all_of(dims, [](const graphsurgeon::Dim& dim) { return dim.is_static(); });
}

size_t slices_of(const Node& scan) {
  const Attribute* attribute = scan.attribute("num_scan_inputs");
  const auto* value = attribute ? std::get_if<int64_t>(&attribute->value) : nullptr;
  return value && *value > 0 ? static_cast<size_t>(*value) : 0;
}

bool is_fully_known(const Tensor& tensor) {
  return tensor.type_kind() == graphsurgeon::TypeKind::kTensor &&
         tensor.dtype() != DataType::kUndefined && tensor.dtype() != DataType::kString &&
         tensor.declared_shape() && is_static(*tensor.declared_shape());
}

Shape known_shape(const Tensor& tensor) {
  Shape shape;
  for (const graphsurgeon::Dim& dim : *tensor.declared_shape()) shape.push_back(dim.value());
  return shape;
}

// True: found a new shape. Bodies nested in a body need another look at the body first.
bool assume_shapes_of_states(Model& model) {
  bool is_new = false;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const auto& node : graph->nodes()) {
      const bool is_loop = node->op() == "Loop";
      if (bodies_of(*node) != 1) continue;
      const GraphRef body = body_of(*node, 0);
      if (!body) continue;
      const size_t first = is_loop ? 2 : 0;  // behind the number of iterations and the condition
      for (size_t i = first; i < body->inputs().size() && i < node->inputs().size(); ++i) {
        // Of a Scan, only states are returned by it as they are.
        if (i - first >= node->outputs().size()) break;
        Tensor& state = *body->inputs()[i];
        const Tensor& given = *node->inputs()[i];
        if (is_fully_known(state) || given.dtype() == DataType::kUndefined || !given.shape() ||
            !is_static(*given.shape())) {
          continue;
        }
        if (!is_loop && i >= node->inputs().size() - slices_of(*node)) break;
        state.set_dtype(given.dtype());
        state.set_shape(given.shape());
        is_new = true;
      }
    }
  }
  return is_new;
}

class InnerOutputMaker {
 public:
  explicit InnerOutputMaker(Model& model) : model_(model) {
    for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
      for (const auto* list : {&graph->inputs(), &graph->initializers()}) {
        for (const TensorRef& tensor : *list) names_.emplace(tensor->name());
      }
      for (const auto& node : graph->nodes()) {
        for (const Tensor* output : node->outputs()) names_.emplace(output->name());
      }
    }
  }

  bool run() {
    // When a graph has its turn, its nodes already output their inner tensors.
    for (Graph* graph : graphsurgeon::inner_graphs_first(*model_.graph)) {
      const std::vector<std::string> names = distinct_node_names(*graph);
      for (size_t i = 0; i < names.size(); ++i) {
        const auto node = graph->nodes()[i];
        for (size_t body = 0; body < bodies_of(*node); ++body) {
          const GraphRef inside = body_of(*node, body);
          if (!inside) continue;
          const std::string path = names[i] + "/" + std::string(name_of_body(*node, body)) + "/";
          for (const TensorRef& tensor : made_in(*inside))
            hand_out(*graph, *node, body, *inside, tensor, path);
        }
      }
    }
    return any_;
  }

 private:
  // In the order in which errors would arise.
  std::vector<TensorRef> made_in(const Graph& body) const {
    std::vector<TensorRef> result;
    for (const auto& node : body.nodes()) {
      if (node->op() == "Constant") continue;
      for (const bool from_inside : {true, false}) {
        for (Tensor* output : node->outputs()) {
          if (handed_out_.contains(output) != from_inside) continue;
          if (!output->is_empty() && is_fully_known(*output)) result.emplace_back(output);
        }
      }
    }
    return result;
  }

  std::string unused(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  void hand_out(Graph& graph, Node& node, size_t body, Graph& inside, const TensorRef& tensor,
                const std::string& path) {
    const bool is_branch = bodies_of(node) == 2;
    const GraphRef other = is_branch ? body_of(node, 1 - body) : nullptr;
    if (is_branch && !other) return;
    const Shape shape = known_shape(*tensor);
    const graphsurgeon::Dim times = is_branch ? graphsurgeon::Dim(1) : iterations(node, inside);
    const uint64_t bytes = bytes_of(tensor->dtype(), shape, times.is_static() ? times.value() : 1);
    if (bytes > kMostBytes - bytes_) return;
    bytes_ += bytes;
    TensorRef returned = tensor;
    const auto& outputs = inside.outputs();
    if (std::find(outputs.begin(), outputs.end(), tensor) != outputs.end()) {
      returned = inside.variable(unused(std::string(tensor->name()) + "_as_it_is"), tensor->dtype(),
                                 *tensor->declared_shape());
      inside.layer({.op = "Identity", .inputs = {tensor}, .outputs = {returned}});
    }
    inside.mutable_outputs().push_back(returned);
    if (other) {
      const TensorRef zeros =
          Tensor::constant(other->store(), unused("instead_of_" + std::string(tensor->name())),
                           graphsurgeon::splat_payload(Array::zeros(tensor->dtype(), {}), shape));
      other->mutable_initializers().push_back(zeros);
      other->mutable_outputs().push_back(zeros);
    }
    if (node.op() == "Scan") {
      for (const char* name : {"scan_output_axes", "scan_output_directions"}) {
        const Attribute* attribute = node.attribute(name);
        const auto* list =
            attribute ? std::get_if<std::vector<int64_t>>(&attribute->value) : nullptr;
        if (!list) continue;
        std::vector<int64_t> longer = *list;
        longer.push_back(0);
        node.set_attribute(name, longer);
      }
    }
    const TensorRef made =
        graph.variable(unused(path + std::string(tensor->name())), tensor->dtype());
    DimList dims(shape.begin(), shape.end());
    // Of nested loops, the dimension in front has to be known to come any farther.
    if (!is_branch) dims.insert(dims.begin(), times);
    made->set_shape(std::move(dims));
    node.outputs().append(made);
    handed_out_.insert(made.get());
    any_ = true;
  }

  // kMostBytes + 1: more than can be.
  static uint64_t bytes_of(DataType type, Shape shape, int64_t times) {
    shape.push_back(times);
    double elements = 1;
    for (const int64_t dim : shape) elements *= static_cast<double>(dim);
    const double bytes = elements * static_cast<double>(bit_width(type)) / 8;
    return bytes > static_cast<double>(kMostBytes) ? kMostBytes + 1 : static_cast<uint64_t>(bytes);
  }

  // As far as that is written down: a Loop may end sooner, if its condition says so.
  static graphsurgeon::Dim iterations(const Node& node, const Graph& body) {
    if (node.op() != "Loop" || node.inputs().empty()) return {};
    const Tensor& count = *node.inputs()[0];
    const std::optional<bool> goes_on = condition_of(body);
    if (!count.is_constant() || count.payload()->size() != 1 || !goes_on) return {};
    const int64_t most = count.values().get_int64(0);
    return graphsurgeon::Dim(*goes_on ? most : std::min<int64_t>(most, 1));
  }

  // Whether another iteration follows each one; nullopt: that is computed.
  static std::optional<bool> condition_of(const Graph& body) {
    if (body.outputs().empty() || body.inputs().size() < 2) return std::nullopt;
    const Tensor* tensor = body.outputs()[0].get();
    while (!tensor->is_constant() && tensor->producer() && tensor->producer()->op() == "Identity")
      tensor = tensor->producer()->inputs()[0];
    if (tensor->is_constant() && tensor->payload()->size() == 1)
      return tensor->values().get_int64(0) != 0;
    return tensor == body.inputs()[1].get() ? std::optional(true) : std::nullopt;
  }

  Model& model_;
  std::unordered_set<std::string> names_;
  std::unordered_set<const Tensor*> handed_out_;
  uint64_t bytes_ = 0;
  bool any_ = false;
};

}  // namespace

bool hand_out_inner_tensors(Model& model, LoopStates states) {
  do {
    graphsurgeon::infer_shapes(model, {}, log_or_silence(nullptr));
  } while (states == LoopStates::kAssumed && assume_shapes_of_states(model));
  return InnerOutputMaker(model).run();
}

}  // namespace polygraphy
