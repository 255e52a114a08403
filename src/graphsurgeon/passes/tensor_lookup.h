// Tensors by the names that users type.
#pragma once

#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// A name matches no tensor.
inline constexpr polygraphy::ErrorCode kNoSuchTensor{"no-such-tensor"};

// The tensors of one graph (not of its subgraphs). Edits of the graph after construction are not
// seen. O(graph) to construct, O(1) to look up.
class TensorLookup {
 public:
  explicit TensorLookup(const Graph& graph) : tensors_(graph.tensor_map()) {}

  // Null for unknown names and for "".
  Tensor* find(std::string_view name) const;
  // Throws Error for an unknown name, suggesting the nearest one, or kNoSuchTensor where none is
  // near: O(graph) then.
  Tensor& get(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, Tensor*> tensors_;
};

}  // namespace graphsurgeon
