// Giving candidates the types and shapes that a model needs at its ends.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"

namespace polygraphy {

void describe(graphsurgeon::Tensor& tensor, const TensorInfo& info);

// Gives variables of incomplete type their type and dimensions on the only sample. The tensors
// belong to a model derived from `made`, which is derived from the recorded one. Unknown ones stay
// unchanged.
void describe_on_sample(const std::vector<graphsurgeon::TensorRef>& tensors,
                        const graphsurgeon::Model& made, Intermediates& intermediates);

// Inputs need a type and a shape, outputs a type: those that the model does not declare are
// recorded. Warns of those that cannot be found.
void describe_interface(graphsurgeon::Model& model, Intermediates& intermediates, Logger& log);

}  // namespace polygraphy
