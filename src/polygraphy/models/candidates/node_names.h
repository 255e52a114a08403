// Nodes by the names that people know them by: `debug locate` prints them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A name for each node of a graph: its own, or its first output's; of several nodes of one name,
// the second one's ends with "#2". O(graph).
std::vector<std::string> distinct_node_names(const graphsurgeon::Graph& graph);

// The prefix of node names in a body: "Loop_1/body/". nullopt: not nested in the main graph.
// O(model).
std::optional<std::string> path_of_body(const graphsurgeon::Model& model,
                                        const graphsurgeon::Graph& body);

// Where a node stands, in this model and in copies of it.
struct NodePlace {
  // A node that holds graphs, and which of them (inline_body.h).
  struct Around {
    size_t node = 0, body = 0;
    friend bool operator==(const Around&, const Around&) = default;
  };
  std::vector<Around> around = {};  // outer ones first
  size_t node = 0;                  // in the innermost graph

  friend bool operator==(const NodePlace&, const NodePlace&) = default;
  size_t outermost() const { return around.empty() ? node : around.front().node; }
};

// The nodes of the main graph and of the bodies in it. Inside, names are paths:
// "Loop_1/body/Exp_4". Does not refer to the model.
class NamedNodes {
 public:
  // O(model).
  explicit NamedNodes(const graphsurgeon::Model& model);

  // Finds a node by its name, or by a tensor that it produces; if several nodes pass a tensor on
  // under one path, the innermost. A node in a body is also found without the path if the name is
  // unique. nullopt: not found.
  std::optional<NodePlace> find(std::string_view name) const;
  // did_you_mean() for a missing name.
  std::string did_you_mean(std::string_view name) const;

 private:
  using Table = std::map<std::string, NodePlace, std::less<>>;
  Table nodes_, tensors_;
  // By the text behind the last part of the path; nullopt: several are called so.
  std::map<std::string, std::optional<NodePlace>, std::less<>> inside_;
};

}  // namespace polygraphy
