// Decides, before anything is changed, where float16 conversion needs which type.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/float16.h"
#include "graphsurgeon/passes/float16_types.h"

namespace graphsurgeon {

// Finds numbers that become sizes, so that rounding them would change shapes.
struct Float16Sizes {
  // Nodes that compute sizes or numbers of results, of inputs, weights and shapes only.
  std::unordered_set<const Node*> kept;
  // Nodes with results that a network's numbers size or count (Conv, MatMul, bodies ...).
  std::vector<const Node*> of_network;
};

// Looks back from each input that decides a shape. Nodes are sorted. O(nodes).
Float16Sizes find_sizes(const Model& model, const TensorTypes& types);

// The facts about one tensor that is float32 now.
struct Float16Tensor {
  // The source: a node of the graph, or null (an input, a weight).
  Graph* graph = nullptr;  // null: outside of the examined graphs; it stays unchanged
  Node* producer = nullptr;
  bool weight = false;
  bool is_float16 = false;  // after conversion, as it is produced
  // An output of the main graph: its name and type are seen from outside.
  bool is_output = false;
  size_t wanted_as_float16 = 0, wanted_as_float32 = 0;  // by slots and graph outputs
};

// A graph of the model (functions left out), outer ones first.
struct Float16Graph {
  Graph* graph;
  bool blocked;  // inside a node that keeps working in float32
  std::vector<bool> blocked_nodes;
};

class Float16Plan {
 public:
  // All outlive the plan.
  Float16Plan(const Model& model, const Float16Options& options, const TensorTypes& types);

  // Nodes with shapes of results that follow from numbers which become float16.
  const std::vector<const Node*>& rounded_sizes() const { return sizes_.of_network; }
  const std::vector<Float16Graph>& graphs() const { return graphs_; }
  // Null for a tensor that is not float32.
  const Float16Tensor* find(const Tensor& tensor) const;
  // The precision of an input slot of a node. Only for float32 tensors.
  Precision wanted(const Float16Graph& graph, size_t node, size_t slot);
  // Whether a node of the main graph takes or gives float16; constants do not count.
  bool works_in_float16(size_t node);
  // The same as wanted() for an output of the graph.
  Precision wanted_output(const Float16Graph& graph) const;

 private:
  bool is_blocked(const Node& node) const;
  bool follows_from_shapes(const Node& node);
  bool keeps_interface(const Float16Graph& graph) const {
    return graph.blocked || graph.graph == model_.graph.get();
  }
  Float16Tensor& at(const Tensor& tensor) { return tensors_[&tensor]; }
  void collect_graphs();
  void collect_tensors(const Float16Graph& graph);
  void collect_wants(const Float16Graph& graph);
  void want(const Tensor& tensor, Precision precision);
  void decide(const Float16Graph& graph);
  bool gives_float16(const Float16Graph& graph, size_t node, size_t slot);

  const Model& model_;
  const Float16Options& options_;
  const TensorTypes& types_;
  OperatorTypes operators_;
  const Float16Sizes sizes_;
  std::vector<Float16Graph> graphs_;
  std::unordered_map<const Tensor*, Float16Tensor> tensors_;
  std::unordered_set<const Tensor*> of_shapes_;
};

}  // namespace graphsurgeon
