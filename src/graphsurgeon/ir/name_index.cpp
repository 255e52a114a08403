#include "graphsurgeon/ir/name_index.h"

#include <charconv>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

NameIndex::NameIndex(Graph& graph) : graph_(graph) {
  graph.store().watch_names();
  read();
}

void NameIndex::refresh(bool lists_edited) {
  if (lists_edited || graph_.nodes().size() != known_nodes_ ||
      graph_.inputs().size() != known_inputs_ || graph_.outputs().size() != known_outputs_ ||
      graph_.initializers().size() != known_initializers_) {
    read();
  }
}

void NameIndex::read() {
  Store& store = graph_.store();
  tensors_.clear();
  nodes_.clear();
  const auto add = [&](const Tensor& tensor) {
    if (tensor.is_empty()) return;
    const bool own = &tensor.store() == &store;
    add_tensor(own ? tensor.name() : store.keep(tensor.name()));
  };
  for (const Graph* graph : inner_graphs_first(graph_)) {
    for (const auto* list : {&graph->inputs(), &graph->outputs(), &graph->initializers()}) {
      for (const TensorRef& tensor : *list) add(*tensor);
    }
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* tensor : node->inputs()) add(*tensor);
      for (const Tensor* tensor : node->outputs()) add(*tensor);
    }
  }
  for (const NodeRef& node : graph_.nodes())
    add_node(&node->store() == &store ? node->name() : store.keep(node->name()));
  known_nodes_ = graph_.nodes().size();
  known_inputs_ = graph_.inputs().size();
  known_outputs_ = graph_.outputs().size();
  known_initializers_ = graph_.initializers().size();
  read_at_ = store.introduced_names();
}

std::string_view NameIndex::new_name(std::string_view prefix, Of of) {
  Store& store = graph_.store();
  auto& taken = of == Of::kTensors ? tensors_ : nodes_;
  for (;;) {
    candidate_.assign(prefix);
    candidate_ += '_';
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, next_++).ptr;
    candidate_.append(digits, end);
    if (taken.contains(candidate_) || store.introduced_since(candidate_, read_at_)) continue;
    const std::string_view name = store.keep(candidate_);
    taken.insert(name);
    return name;
  }
}

std::string_view NameIndex::new_tensor_name(std::string_view prefix) {
  return new_name(prefix, Of::kTensors);
}

std::string_view NameIndex::new_node_name(std::string_view prefix) {
  return new_name(prefix, Of::kNodes);
}

}  // namespace graphsurgeon
