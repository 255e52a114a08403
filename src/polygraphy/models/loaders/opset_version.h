// The opset that a model imports, and the one that it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct OpsetNeed {
  int64_t version = 1;
  std::string reason;  // "node 'r' is a Range of opset 27"
};

// The oldest opset of the default domain in which every operator of the model (subgraphs and
// functions included) has the same definition as in the opset that the model imports. nullopt: not
// known, because the onnx library lacks an operator or the opset. O(nodes).
std::optional<OpsetNeed> needed_opset(const graphsurgeon::Model& model);

// Makes the model, and its functions, import nothing newer than `version` of the default domain.
// Only for models that need no more.
void lower_opset(graphsurgeon::Model& model, int64_t version);

}  // namespace polygraphy
