// Neighbours of nodes and tensors by position, for i() and o(). A position beyond the end throws
// Error, which names the object and how many neighbours it has.
#pragma once

#include <cstddef>
#include <string_view>

namespace graphsurgeon {

class Node;
class NodeUses;
class Tensor;
class TensorList;

// uses.at(i); `what` for the message: "producer" or "consumer" of `tensor`.
Node* checked_node(const Tensor& tensor, const NodeUses& uses, size_t i, std::string_view what);

// list[i]; `what` for the message: "input" or "output" of `node`.
Tensor* checked_tensor(const Node& node, const TensorList& list, size_t i, std::string_view what);

}  // namespace graphsurgeon
