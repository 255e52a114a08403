// Cutting a model before or behind one of its nodes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The nodes of the main graph that depend on its inputs, by position and in order: nodes that only
// feed constants go wherever they go. All nodes, when none depends on an input. O(graph).
std::vector<size_t> reduction_steps(const graphsurgeon::Model& model);

struct Split {
  graphsurgeon::Model model;
  // The new outputs, or the new inputs.
  std::vector<graphsurgeon::TensorRef> marked;
  // Of a cut before a node: further tensors that the outputs need, because they come past the cut
  // on another branch. Inputs of the model, after the marked ones.
  std::vector<graphsurgeon::TensorRef> branches;
};

// Copies of the model that share its weights, without unused nodes, inputs and functions. O(model).
//
// The outputs of the node at `position` become the outputs. Omitted ones stay omitted.
Split split_after(const graphsurgeon::Model& model, size_t position);
// Variables that the node at `position` reads (including captures of its subgraphs) become the
// inputs. Removes outputs that do not depend on them, unless no output does.
Split split_before(const graphsurgeon::Model& model, size_t position);

// Gives a branch a value: it is an input of the model no more.
void freeze(graphsurgeon::Model& model, graphsurgeon::Tensor& branch, Array value);

}  // namespace polygraphy
