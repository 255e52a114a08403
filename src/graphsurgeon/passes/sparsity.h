// 2:4 structured sparsity: of every four neighbours along one axis of a weight, two are
// zero.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// A weight that can be made sparse, and the axis along which.
struct SparsityCandidate {
  TensorRef weight;
  size_t axis = 0;
};

// The initializers that MatMul, Gemm and Conv nodes of the main graph multiply with, directly or
// behind nodes that only convert or transpose them; of a floating type of 16 or 32 bits, with an
// axis that four divides. In the order in which the nodes come to them; where two come to one
// weight, the later one decides the axis. Weights named in `skip` are left out with a warning.
// Reads no values. O(nodes).
std::vector<SparsityCandidate> find_sparsity_candidates(
    const Model& model, polygraphy::Logger& logger,
    const std::unordered_set<std::string_view>& skip = {});

// True when in each group of four along `axis` at least two are zero (of either sign). The type is
// one that find_sparsity_candidates() lets through. Reads up to the first group that is not.
// Throws as loading.
bool is_sparse(const Payload& values, std::string_view tensor, size_t axis);

// Logs for each candidate whether it is sparse; returns those that are, in that order. One weight
// in memory at a time, and none of those that are mapped.
std::vector<TensorRef> check_sparsity(const Model& model, polygraphy::Logger& logger);

}  // namespace graphsurgeon
