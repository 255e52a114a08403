#include "graphsurgeon/ir/checked_access.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

Node* checked_node(const Tensor& tensor, const NodeUses& uses, size_t i, std::string_view what) {
  if (i < uses.size()) return uses.at(i);
  throw polygraphy::Error(
      fmt::format("'{}' has {} {}s, but no {} {}", tensor.name(), uses.size(), what, what, i));
}

Tensor* checked_tensor(const Node& node, const TensorList& list, size_t i, std::string_view what) {
  if (i < list.size()) return list[i];
  throw polygraphy::Error(fmt::format("node '{}' ({}) has {} {}s, but no {} {}", node.name(),
                                      node.op(), list.size(), what, what, i));
}

}  // namespace graphsurgeon
