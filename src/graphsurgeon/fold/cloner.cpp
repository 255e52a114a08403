#include "graphsurgeon/fold/cloner.h"

#include <utility>
#include <vector>

namespace graphsurgeon {

TensorRef Cloner::tensor(Tensor& from) {
  if (from.is_empty()) return Tensor::empty(store_);
  const auto found = tensors_.find(&from);
  if (found != tensors_.end()) return found->second;
  const std::string name = tensor_name_(from.name());
  TensorRef to;
  if (from.is_constant()) {
    to = Tensor::constant(store_, name, from.payload());
  } else {
    to = Tensor::variable(store_, name, from.dtype(), from.shape());
    if (from.type_kind() != TypeKind::kTensor)
      to->set_type_proto(from.type_kind(), from.type_proto());
  }
  tensors_[&from] = to;
  return to;
}

TensorRef Cloner::input(Tensor& from) {
  if (from.is_empty()) return Tensor::empty(store_);
  const auto found = tensors_.find(&from);
  return found != tensors_.end() ? found->second : TensorRef(&from);
}

NodeRef Cloner::node(const Node& from) {
  NodeRef to = Node::create(store_, from.op(), node_name_(from.name()), from.domain());
  if (!from.overload().empty()) to->set_overload(from.overload());
  for (const Attribute& attribute : from.attributes()) {
    Attribute copy = attribute;
    if (auto* inner = std::get_if<GraphRef>(&copy.value); inner != nullptr && *inner) {
      *inner = graph(**inner);
    } else if (auto* list = std::get_if<std::vector<GraphRef>>(&copy.value)) {
      for (GraphRef& one : *list) one = graph(*one);
    }
    to->set_attribute(std::move(copy));
  }
  for (Tensor* t : from.inputs()) to->inputs().append(input(*t));
  for (Tensor* t : from.outputs()) to->outputs().append(tensor(*t));
  return to;
}

GraphRef Cloner::graph(const Graph& from) {
  GraphRef to = Graph::create(store_, from.name());
  for (const TensorRef& t : from.inputs()) to->mutable_inputs().push_back(tensor(*t));
  for (const TensorRef& t : from.initializers()) to->mutable_initializers().push_back(tensor(*t));
  // A node may stand before its producers.
  for (const NodeRef& n : from.nodes()) {
    for (Tensor* t : n->outputs()) {
      if (!t->is_empty()) tensor(*t);
    }
  }
  for (const NodeRef& n : from.nodes()) to->mutable_nodes().push_back(node(*n));
  for (const TensorRef& t : from.outputs()) to->mutable_outputs().push_back(input(*t));
  for (const TensorRef& t : from.value_infos()) {
    if (tensors_.contains(t.get())) to->mutable_value_infos().push_back(input(*t));
  }
  return to;
}

}  // namespace graphsurgeon
