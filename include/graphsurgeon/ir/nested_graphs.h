// Helpers for algorithms on nested graphs: all graphs below a root, positions of nodes, and the
// tensors that a graph captures from the graphs around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Every graph nested in `root` (in attributes of its nodes, at any depth), inner ones before those
// around them, `root` last; each once, in the order of nodes and attributes. Iterative, O(nodes). A
// graph that holds itself is listed once.
std::vector<Graph*> inner_graphs_first(Graph& root);

// Position of nodes in a graph's list, without a table: O(1) and no allocation per node. Each node
// remembers the position that the last NodeIndex made gave it, and a lookup checks the list, so
// stale and foreign nodes are recognised. Valid while the list of nodes is unchanged and until
// another NodeIndex is made for a list that shares nodes with this one.
class NodeIndex {
 public:
  // A node that is listed twice has its first position.
  explicit NodeIndex(const Graph& graph) : nodes_(&graph.nodes()) {
    for (size_t i = nodes_->size(); i-- > 0;) (*nodes_)[i]->mark_ = static_cast<uint32_t>(i);
  }
  // nullopt: not a node of this graph.
  std::optional<size_t> find(const Node& node) const {
    if (node.mark_ >= nodes_->size() || (*nodes_)[node.mark_].get() != &node) return std::nullopt;
    return node.mark_;
  }

 private:
  const std::vector<NodeRef>* nodes_;
};

// The tensors that nested graphs use and do not own: neither produced there, nor an input, nor an
// initializer. Tensors by identity; empty ones are left out.
class Captures {
 public:
  // Adds the captures of `graph`, each once, in the order of its nodes (first tensors that the node
  // itself uses, then captures of its subgraphs), then its outputs. `order`: the new positions of
  // the nodes; empty: the current ones. Add nested graphs first. O(graph).
  void add(const Graph& graph, std::span<const uint32_t> order = {});
  // The captures of an added graph; empty for other graphs. Valid until the next add().
  std::span<Tensor* const> of(const Graph& graph) const;
  // Calls `use` for each tensor that a subgraph of `node` captures, once for each subgraph.
  template <typename Use>
  void for_each(const Node& node, Use use) const {
    if (!node.has_subgraphs()) return;
    for (const GraphRef& inner : node.subgraphs()) {
      if (!inner) continue;
      for (Tensor* tensor : of(*inner)) use(*tensor);
    }
  }

 private:
  std::unordered_map<const Graph*, std::vector<Tensor*>> captured_;
};

// ONNX connects by names, this library by identity. If an editor gave one name to two objects (a
// node reads a tensor without a producer, and the graph produces another object of that name), the
// saved file connects them; this class finds the other object.
class LocalNames {
 public:
  explicit LocalNames(const Graph& graph) : graph_(&graph) {}
  // The object that the graph produces under the name of `tensor`, if `tensor` itself is neither
  // produced nor a constant nor an input of the graph; null if no other object has that name. The
  // first such tensor builds the table: O(graph).
  Tensor* find(const Tensor& tensor);

 private:
  const Graph* graph_;
  std::optional<std::unordered_map<std::string_view, Tensor*>> names_;
  std::optional<std::unordered_set<const Tensor*>> inputs_;
};

}  // namespace graphsurgeon
