// i() and o() of nodes and tensors.

#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

namespace {

Node* use_of(const Tensor& tensor, const NodeUses& uses, size_t i, const std::string& what) {
  if (i < uses.size()) return uses.at(i);
  throw polygraphy::Error("'" + std::string(tensor.name()) + "' has " +
                          std::to_string(uses.size()) + ' ' + what + "s, there is no " + what +
                          ' ' + std::to_string(i));
}

Tensor* slot_of(const Node& node, const TensorList& list, size_t i, const std::string& what) {
  if (i < list.size()) return list[i];
  throw polygraphy::Error("node '" + std::string(node.name()) + "' (" + std::string(node.op()) +
                          ") has " + std::to_string(list.size()) + ' ' + what + "s, there is no " +
                          what + ' ' + std::to_string(i));
}

}  // namespace

Tensor* Tensor::i(size_t tensor, size_t producer) const {
  const Node& node = *use_of(*this, producers_, producer, "producer");
  return slot_of(node, node.inputs(), tensor, "input");
}

Tensor* Tensor::o(size_t consumer, size_t tensor) const {
  const Node& node = *use_of(*this, consumers_, consumer, "consumer");
  return slot_of(node, node.outputs(), tensor, "output");
}

Node* Node::i(size_t tensor, size_t producer) const {
  const Tensor& input = *slot_of(*this, inputs_, tensor, "input");
  return use_of(input, input.producers(), producer, "producer");
}

Node* Node::o(size_t consumer, size_t tensor) const {
  const Tensor& output = *slot_of(*this, outputs_, tensor, "output");
  return use_of(output, output.consumers(), consumer, "consumer");
}

}  // namespace graphsurgeon
