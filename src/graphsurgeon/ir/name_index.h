// Names that the tensors of a graph and of those nested in it have, and its nodes, kept for making
// up new ones in O(1). Internal to ir.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace graphsurgeon {

class Graph;
class Store;

// Used names of a graph, made for its first generated name. Later renames and insertions reach it
// through the store (Store::introduce_name()); lists that were taken for editing are read again.
class NameIndex {
 public:
  explicit NameIndex(Graph& graph);

  // Looks at the graph again if its lists may have changed. O(graph) then, else O(1).
  void refresh(bool lists_edited);

  void add_tensor(std::string_view name) {
    if (!name.empty()) tensors_.insert(name);
  }
  void add_node(std::string_view name) { nodes_.insert(name); }
  // The caller has put a node (and `constants` initializers) into the graph of the added names.
  void added_node(size_t constants) {
    ++known_nodes_;
    known_initializers_ += constants;
  }

  // prefix_N; N counts all attempts for tensors and nodes of the graph together. Kept by the store
  // of the graph, and taken from now on.
  std::string_view new_tensor_name(std::string_view prefix);
  std::string_view new_node_name(std::string_view prefix);

 private:
  enum class Of : bool { kTensors, kNodes };
  void read();
  std::string_view new_name(std::string_view prefix, Of of);

  Graph& graph_;
  uint64_t next_ = 0;
  uint64_t read_at_ = 0;  // Store::introduced_names() at that time
  size_t known_nodes_ = 0, known_inputs_ = 0, known_outputs_ = 0, known_initializers_ = 0;
  std::unordered_set<std::string_view> tensors_, nodes_;
  std::string candidate_;
};

}  // namespace graphsurgeon
