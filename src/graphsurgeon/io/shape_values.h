// Constants that shape inference reads: sizes, axes, positions.
#pragma once

#include <unordered_set>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// They stay in the model's file: shape inference reads nothing else, and ONNX Runtime refuses a
// model with sizes in external data.
class ShapeValues {
 public:
  // O(nodes).
  explicit ShapeValues(const Model& model);

  // Inputs whose values an operator's inference reads, and small integers and bools, from which
  // such inputs may be computed.
  bool contains(const Payload& payload) const;

 private:
  std::unordered_set<const Payload*> read_;
};

}  // namespace graphsurgeon
