// A graph in TensorFlow's memory: its nodes and tensors.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "common/ports.h"
#include "tensorflow/library.h"

namespace tensorflow {

// An input or output of a model.
struct Port : pgb::Port {
  Output output{};
};
using Ports = std::deque<Port>;

class Graph {
 public:
  explicit Graph(const Library& library)
      : library_(library), graph_(library.api().NewGraph(), library.api().DeleteGraph) {}

  const Library& library() const { return library_; }
  TF_Graph* get() const { return graph_.get(); }

  // Adds the nodes of an encoded GraphDef. Throws Failure.
  void import(std::string_view graph_def);
  // Encoded.
  std::string graph_def() const;

  // In the graph's order.
  std::vector<TF_Operation*> operations() const;
  // "x:0"; nullopt: unknown name. Without a number, the first output of a node.
  std::optional<Output> tensor(std::string_view name) const;
  static std::string name_of(const Api& api, Output output);

  // The first outputs of placeholders, which take the feeds.
  std::vector<Output> placeholders() const;
  // Likely results: the first outputs of nodes that no node uses, except for nodes that store,
  // check or control something.
  std::vector<Output> likely_outputs() const;
  // The outputs of all nodes that are arrays, but for those inside loops and branches, which are
  // not computed in every run, or several times. Operations in functions are not nodes of the
  // graph.
  std::vector<Output> all_outputs() const;
  // The first output of nodes that call a function.
  std::vector<Output> calls() const;
  // Of `tensors`, those that one of `results` depends on.
  std::vector<Output> needed(const std::vector<Output>& tensors,
                             const std::vector<Output>& results) const;

  // Adds type and shape of the tensor, if known.
  void add_port(Ports& to, std::string name, Output output) const;

 private:
  // The nodes inside the loops and branches of TensorFlow 1.
  std::unordered_set<TF_Operation*> conditional() const;

  const Library& library_;
  Owned<TF_Graph> graph_;
};

}  // namespace tensorflow
