// Aligns the nodes of two graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Tensors of A and of B that are one, across all graphs of a model: outer ones are known by the
// time that nested graphs are aligned.
class TensorPairs {
 public:
  void reserve(size_t tensors);
  // Unless one of them has its partner, or is empty. Returns whether they are a pair now.
  bool add(const Tensor& a, const Tensor& b);
  const Tensor* in_b(const Tensor& a) const { return find(to_b_, a); }  // null: none
  const Tensor* in_a(const Tensor& b) const { return find(to_a_, b); }

 private:
  using Map = std::unordered_map<const Tensor*, const Tensor*>;
  static const Tensor* find(const Map& map, const Tensor& tensor) {
    const auto at = map.find(&tensor);
    return at == map.end() ? nullptr : at->second;
  }
  Map to_b_, to_a_;
};

struct Alignment {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> to_b, to_a;  // positions of nodes, or kNone
};

struct AlignmentOptions {
  bool names = true;  // see DiffOptions::names
  // The position of inputs and outputs gives their meaning, as in nested graphs and functions.
  bool positional = false;
};

// Aligns, in this order:
// - nodes of one name, where it is unique in both graphs and the operators agree;
// - nodes that produce a tensor of one name, where the operators agree;
// - nodes of one structure with the same ancestors or descendants; then nodes between, neighbour by
//   neighbour from aligned ones, first with equal attributes, then with any;
// - where an operator was replaced: the nodes between the same nodes.
// Adds their results to `tensors`, inputs, and constants. Deterministic; O(n log n), iterative.
Alignment align(const Graph& a, const Graph& b, const AlignmentOptions& options,
                TensorPairs& tensors);

// Exporters that number tensors give the numbers of one model to other tensors of another one.
// Whether most nodes' results in the same place of the structure have names of other tensors, so
// that names say nothing. O(n log n).
bool names_contradict(const Graph& a, const Graph& b);

}  // namespace graphsurgeon
