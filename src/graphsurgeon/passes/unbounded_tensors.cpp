#include "graphsurgeon/passes/unbounded_tensors.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"

namespace graphsurgeon {
namespace {

struct SizeInput {
  std::string_view op;
  size_t index;
};
constexpr std::array<SizeInput, 5> kSizeInputs = {
    {{"Range", 1}, {"Pad", 1}, {"Resize", 3}, {"Tile", 1}, {"Expand", 1}}};

using NodeIndex = std::unordered_map<const Node*, size_t>;

// Nodes of the graph with outputs that `node` uses, itself or in its subgraphs.
std::vector<size_t> needed_nodes(const Node& node, const NodeIndex& index) {
  std::vector<size_t> result;
  const auto add = [&](const Tensor* tensor) {
    for (const Node* producer : tensor->producers()) {
      const auto found = index.find(producer);
      if (found != index.end()) result.push_back(found->second);
    }
  };
  for (const Tensor* input : node.inputs()) add(input);
  std::vector<GraphRef> inside = node.subgraphs();
  while (!inside.empty()) {
    const GraphRef graph = std::move(inside.back());
    inside.pop_back();
    for (const TensorRef& output : graph->outputs()) add(output.get());
    for (const NodeRef& inner : graph->nodes()) {
      for (const Tensor* input : inner->inputs()) add(input);
      for (GraphRef& deeper : inner->subgraphs()) inside.push_back(std::move(deeper));
    }
  }
  return result;
}

// Length of the longest chain of nodes before each node.
std::vector<size_t> depths(const Graph& graph) {
  const auto& nodes = graph.nodes();
  NodeIndex index;
  for (size_t i = 0; i < nodes.size(); ++i) index.emplace(nodes[i].get(), i);

  enum class State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(nodes.size(), State::kNew);
  std::vector<size_t> result(nodes.size(), 0);
  struct Visit {
    size_t node;
    std::vector<size_t> needed;
  };
  std::vector<Visit> stack;
  const auto open = [&](size_t i) {
    states[i] = State::kOpen;
    stack.push_back({i, needed_nodes(*nodes[i], index)});
  };
  for (size_t start = 0; start < nodes.size(); ++start) {
    if (states[start] == State::kNew) open(start);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.needed.empty()) {
        states[visit.node] = State::kDone;
        stack.pop_back();
        continue;
      }
      const size_t other = visit.needed.back();
      if (states[other] == State::kDone) {
        result[visit.node] = std::max(result[visit.node], result[other] + 1);
        visit.needed.pop_back();
      } else if (states[other] == State::kNew) {
        open(other);  // invalidates `visit`
      } else {
        throw polygraphy::Error(
            "the graph '" + std::string(graph.name()) + "' has a cycle through node '" +
                std::string(nodes[other]->name()) + "' (" + std::string(nodes[other]->op()) + ")",
            "Check for two tensors of the same name.");
      }
    }
  }
  return result;
}

std::vector<const Node*> in_execution_order(const Graph& graph) {
  const std::vector<size_t> depth = depths(graph);
  std::vector<size_t> order(depth.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return depth[a] < depth[b]; });
  std::vector<const Node*> result;
  for (const size_t i : order) result.push_back(graph.nodes()[i].get());
  return result;
}

// The input that sets the size of the node's output, if it is computed at run time.
const Tensor* computed_size(const Node& node) {
  for (const SizeInput& size : kSizeInputs) {
    if (node.op() != size.op || size.index >= node.inputs().size()) continue;
    const Tensor* tensor = node.inputs()[size.index];
    const Node* producer = tensor->producer();
    if (!tensor->is_constant() && producer != nullptr && producer->op() != "Min") return tensor;
  }
  return nullptr;
}

}  // namespace

std::vector<const Tensor*> unbounded_tensors(const Graph& graph) {
  std::unordered_set<std::string> known_dims;
  // Adds the names of a shape's dimensions; true when one is new or the shape is not known.
  const auto is_new = [&](const Tensor& tensor) {
    const auto shape = tensor.shape();
    bool found = !shape;
    if (!shape) return true;
    for (const Dim& dim : *shape) {
      if (!dim.param().empty() && known_dims.insert(dim.param()).second) found = true;
    }
    return found;
  };
  for (const TensorRef& input : graph.inputs()) is_new(*input);

  std::vector<const Tensor*> result;
  std::unordered_set<std::string_view> names;
  for (const Node* node : in_execution_order(graph)) {
    bool check = false;
    for (const Tensor* output : node->outputs()) check |= is_new(*output);
    if (!check) continue;
    const Tensor* tensor = computed_size(*node);
    if (tensor != nullptr && names.insert(tensor->name()).second) result.push_back(tensor);
  }
  return result;
}

}  // namespace graphsurgeon
