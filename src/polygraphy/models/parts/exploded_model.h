// An exploded model: parts of a model side by side in one model, each with separate inputs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Positions of nodes in the main graph, ascending.
using NodePart = std::vector<size_t>;

struct ExplodedOutput {
  std::string tensor;  // in the whole model
  std::string name;    // as an output of the exploded one
  size_t part = 0;
};

struct ExplodedModel {
  graphsurgeon::Model model;
  // Variables of the main graph that parts read but do not produce. Named as in the whole model.
  std::vector<std::string> inputs;
  std::vector<ExplodedOutput> outputs;  // in the order of parts
};

// The parts, which share no node, in one model: so an engine computes each part from given inputs,
// independently of the others, in one session for all. A tensor that a part reads and does not
// produce becomes an input under its name; a tensor that it produces for other parts or the model's
// outputs, or that is unused, becomes an output under a new name. Nodes keep their names and
// bodies; weights are shared.
//
// `value`: the value of an input, which determines its shape; null: not known, and its declared
// type stays. Short lists of integers (shapes, axes, counts) become constants, because engines
// require them. O(model).
ExplodedModel explode(const graphsurgeon::Model& model, const std::vector<NodePart>& parts,
                      const std::function<const Array*(const std::string& tensor)>& value);

// One part as a model, in which all tensors keep their names; its outputs are the same as explode()
// gives it. O(model).
graphsurgeon::Model part_of(const graphsurgeon::Model& model, const NodePart& part,
                            const std::function<const Array*(const std::string& tensor)>& value);

// True if explode() makes an input of this value a constant.
bool becomes_constant(const Array& value);

}  // namespace polygraphy
