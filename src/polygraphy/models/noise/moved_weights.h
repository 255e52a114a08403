// The error that quantised weights must have.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Whether with_moved_weights() moves any: weights that are not understood do not count. O(nodes).
bool has_quantized_weights(const graphsurgeon::Model& model);

// Throws Error (`code`): of both, only `original` has quantised weights, so the models are
// exchanged.
void require_float_model(const graphsurgeon::Model& original, const std::string& path,
                         const graphsurgeon::Model& quantized, const std::string& path_of_quantized,
                         ErrorCode code = {});

// A copy in which each quantised weight lies elsewhere between the middles to its neighbours, at
// random: one of the weights that are rounded to the same numbers. Its outputs are as far from the
// model's as before quantisation. The weights become floating-point constants: 4 bytes an element.
// Nodes stay where their weights are not understood.
// Throws Error for external data that cannot be read. O(bytes of the weights).
graphsurgeon::Model with_moved_weights(const graphsurgeon::Model& model, int64_t seed);

// Of that copy: a tensor between nodes that stand for one node of the model.
bool is_inside_of_moved(const graphsurgeon::Tensor& tensor);

}  // namespace polygraphy
