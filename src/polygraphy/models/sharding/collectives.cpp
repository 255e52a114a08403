#include "polygraphy/models/sharding/collectives.h"

#include <algorithm>
#include <optional>

#include "base/log_modules.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::NamedArg;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

std::string_view to_text(CollectiveOperation operation) {
  switch (operation) {
    case CollectiveOperation::kAllGather:
      return "all_gather";
    case CollectiveOperation::kAllReduce:
      return "all_reduce";
    default:
      return "reduce_scatter";
  }
}

}  // namespace

NewNodes::NewNodes(graphsurgeon::Model& model, const DistCollective& collective, Logger& log)
    : graph_(*model.graph),
      collective_(collective),
      log_(log),
      taken_(graphsurgeon::tensor_names(graph_)) {
  for (size_t i = 0; i < graph_.nodes().size(); ++i) {
    places_.emplace(graph_.nodes()[i].get(), i + 1);
    taken_.emplace(graph_.nodes()[i]->name());
  }
}

std::string NewNodes::next_name() {
  std::string name;
  do {
    name = "shard_" + std::to_string(counter_++);
  } while (taken_.contains(name));
  return name;
}

size_t NewNodes::place_behind(const Tensor& tensor) const {
  size_t place = 0;
  for (const Node* producer : tensor.producers()) {
    const auto found = places_.find(producer);
    if (found != places_.end()) place = std::max(place, found->second);
  }
  return place;
}

TensorRef NewNodes::add(std::string_view op, const TensorRef& tensor,
                        std::vector<NamedArg> attributes) {
  log_.info(log_modules::kShard,
            "Inserting " + std::string(op) + " for tensor: " + std::string(tensor->name()));
  TensorRef result = graph_.variable(next_name(), tensor->dtype());
  NodeRef node = Node::create(graph_.store(), op, next_name());
  node->inputs().append(tensor);
  node->outputs().append(result);
  for (NamedArg& attribute : attributes) node->set_attribute(attribute.name, attribute.value);
  const size_t place = place_behind(*tensor);
  places_.emplace(node.get(), place);
  made_.insert(node.get());
  nodes_.emplace_back(place, std::move(node));
  return result;
}

TensorRef NewNodes::transpose(const TensorRef& tensor, std::vector<int64_t> permutation) {
  TensorRef result = add("Transpose", tensor, {{"perm", permutation}});
  if (const auto shape = tensor->shape(); shape && shape->size() == permutation.size()) {
    DimList dims;
    for (const int64_t axis : permutation) dims.push_back((*shape)[static_cast<size_t>(axis)]);
    result->set_shape(std::move(dims));
  }
  return result;
}

TensorRef NewNodes::collective(const TensorRef& tensor, CollectiveOperation operation) {
  std::string_view reduce_op = name_of(collective_.reduce_op);
  if (operation == CollectiveOperation::kAllGather) reduce_op = "none";
  // Parts of one product.
  if (operation == CollectiveOperation::kAllReduce) reduce_op = "sum";
  TensorRef result = add("DistCollective", tensor,
                         {{"group_size", collective_.group_size},
                          {"root", collective_.root},
                          {"nb_rank", collective_.nb_rank},
                          {"reduce_op", reduce_op},
                          {"collective_operation", to_text(operation)},
                          {"groups", collective_.groups}});
  auto shape = tensor->shape();
  if (shape && !shape->empty() && operation != CollectiveOperation::kAllReduce) {
    shape->front() = Dim();
  }
  result->set_shape(std::move(shape));
  return result;
}

void NewNodes::add_behind(const Node& place, NodeRef node) {
  const size_t position = places_.at(&place);
  places_.emplace(node.get(), position);
  made_.insert(node.get());
  nodes_.emplace_back(position, std::move(node));
}

void NewNodes::remove(Node& node) {
  node.inputs().clear();
  node.outputs().clear();
  removed_.insert(&node);
}

void NewNodes::finish() {
  if (nodes_.empty() && removed_.empty()) return;
  std::stable_sort(nodes_.begin(), nodes_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<NodeRef> all;
  all.reserve(graph_.nodes().size() + nodes_.size());
  size_t next = 0;
  const auto add_new = [&](size_t place) {
    for (; next < nodes_.size() && nodes_[next].first == place; ++next) {
      all.push_back(nodes_[next].second);
    }
  };
  add_new(0);
  for (size_t i = 0; i < graph_.nodes().size(); ++i) {
    if (!removed_.contains(graph_.nodes()[i].get())) all.push_back(graph_.nodes()[i]);
    add_new(i + 1);
  }
  graph_.mutable_nodes() = std::move(all);
}

void replace_in(const std::vector<NodeRef>& nodes, const Tensor& tensor, const TensorRef& with) {
  std::unordered_set<const Node*> done;
  for (const NodeRef& node : nodes) {
    if (!done.insert(node.get()).second) continue;
    for (size_t slot = 0; slot < node->inputs().size(); ++slot) {
      if (node->inputs()[slot] == &tensor) node->inputs().set(slot, with);
    }
  }
}

}  // namespace polygraphy
