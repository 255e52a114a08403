// Copies nodes, and the graphs in their attributes, with their tensors. Payloads are shared.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

class Cloner {
 public:
  using Rename = std::function<std::string(std::string_view)>;
  // Copies live in `store`. Each new tensor and each new node gets the name that is made of its
  // old one.
  Cloner(Store& store, Rename tensor_name, Rename node_name)
      : store_(store), tensor_name_(std::move(tensor_name)), node_name_(std::move(node_name)) {}

  // `to` replaces `from` in later copies.
  void map(const Tensor& from, TensorRef to) { tensors_[&from] = std::move(to); }
  // A copy of the tensor, which takes its place; the one there is if it was copied before.
  TensorRef tensor(Tensor& from);
  // Inputs that were neither copied nor mapped stay the objects they are.
  NodeRef node(const Node& from);
  GraphRef graph(const Graph& from);

 private:
  TensorRef input(Tensor& from);

  Store& store_;
  Rename tensor_name_, node_name_;
  std::unordered_map<const Tensor*, TensorRef> tensors_;
};

}  // namespace graphsurgeon
