// Cuts a graph down to the nodes between given tensors.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Makes these tensors of the main graph its inputs and outputs, and removes all nodes that no
// output depends on. The tensors keep their types and shapes: set them first. An input that a
// node produced loses its producer; the node's other outputs stay in their places. A constant among
// the inputs keeps its values, as a default. Captures of subgraphs count as uses; functions stay.
// No payload is touched; O(graph).
void extract(Model& model, std::vector<TensorRef> inputs, std::vector<TensorRef> outputs);

// Variables that nodes (including those in subgraphs) or graph outputs use, but that are neither
// produced by a node nor graph inputs. In the order of first use, each once. A model with such a
// variable cannot run. O(graph).
std::vector<Tensor*> undefined_tensors(const Graph& graph);

}  // namespace graphsurgeon
