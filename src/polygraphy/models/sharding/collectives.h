// New nodes of sharded models: collectives and transposes, with their names and places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/models/sharding/shard_hints.h"

namespace polygraphy {

enum class CollectiveOperation : uint8_t { kAllGather, kAllReduce, kReduceScatter };

// Adds nodes to the main graph of one model. They are collected, and put into its list by finish().
// Names: "shard_" and a number that counts tensors and nodes alike, those left out that are taken.
class NewNodes {
 public:
  // `collective`: the attributes of all collectives; outlives the object.
  NewNodes(graphsurgeon::Model& model, const DistCollective& collective, Logger& log);

  // Behind the producer of `tensor`. INFO: `Inserting … for tensor: …`. Return the new tensor.
  graphsurgeon::TensorRef transpose(const graphsurgeon::TensorRef& tensor,
                                    std::vector<int64_t> permutation);
  // Along the first axis.
  graphsurgeon::TensorRef collective(const graphsurgeon::TensorRef& tensor,
                                     CollectiveOperation operation);

  // A node behind `place`, a node of the old list, with outputs that are there.
  void add_behind(const graphsurgeon::Node& place, graphsurgeon::NodeRef node);
  std::string next_name();
  bool has_made(const graphsurgeon::Node& node) const { return made_.contains(&node); }

  // Takes a node of the old list out.
  void remove(graphsurgeon::Node& node);

  // Each new node stands behind its place, in the order in which they were made. O(nodes).
  void finish();

 private:
  graphsurgeon::TensorRef add(std::string_view op, const graphsurgeon::TensorRef& tensor,
                              std::vector<graphsurgeon::NamedArg> attributes);
  size_t place_behind(const graphsurgeon::Tensor& tensor) const;

  graphsurgeon::Graph& graph_;
  const DistCollective& collective_;
  Logger& log_;
  graphsurgeon::TensorNames taken_;  // and names of nodes
  int64_t counter_ = 0;
  std::unordered_map<const graphsurgeon::Node*, size_t> places_;  // of all nodes: old ones before
  std::unordered_set<const graphsurgeon::Node*> made_, removed_;
  std::vector<std::pair<size_t, graphsurgeon::NodeRef>> nodes_;
};

// These nodes read `with` in each slot in which they read `tensor`. O(their slots).
void replace_in(const std::vector<graphsurgeon::NodeRef>& nodes, const graphsurgeon::Tensor& tensor,
                const graphsurgeon::TensorRef& with);

}  // namespace polygraphy
