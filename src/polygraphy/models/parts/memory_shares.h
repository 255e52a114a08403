// Shares of a memory limit: rules of thumb of how much engines take, and how much they leave.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// The limit is too low for the model, even for its smallest parts, or with one output at a time.
inline constexpr ErrorCode kMemoryLimitTooLow{"memory-limit-too-low"};

// The memory of our process, and of each runtime, without any tensor.
inline constexpr uint64_t kProcessBytes = uint64_t{64} << 20;
inline constexpr uint64_t kRuntimeBytes = uint64_t{96} << 20;
// How often a runtime has the weights: as they come, and in its own layout.
inline constexpr uint64_t kCopiesOfWeights = 2;
// How often a job on parts of a model has the weights and tensors of a part in memory: engines copy
// weights, and the tensors of both sides and of the noise are there together.
inline constexpr uint64_t kCopiesOfParts = 4;

// The memory of a job that runs this number of engines at a time, without any model.
constexpr uint64_t bytes_without_model(uint64_t engines) {
  return kProcessBytes + engines * 2 * kRuntimeBytes;
}

// The rest of the limit for models; 0: the limit leaves nothing.
uint64_t bytes_left(uint64_t limit, uint64_t engines);

// Bytes of all weights, in bodies and functions, too; none of them is read. O(model).
uint64_t weight_bytes(const graphsurgeon::Model& model);

// Whether this number of engines can have a model with these weights at a time.
bool weights_fit(uint64_t weights, uint64_t limit, uint64_t engines);

// Throws Error (kMemoryLimitTooLow) if one weight of the model does not fit into the engine's share
// of the limit: no part is smaller.
void require_each_fits(const graphsurgeon::Model& model, uint64_t left, uint64_t limit);

// Throws Error (kNeedsWholeModel) for a request that parts cannot fulfil: `what` ("A remedy") needs
// the whole model, but its weights do not fit the limit. Empty: nothing does.
void require_parts_suffice(const std::string& what, uint64_t weights, uint64_t limit);

// The most that weights and tensors of a part may take. Throws Error (kMemoryLimitTooLow).
int64_t part_bytes_within(uint64_t limit, uint64_t engines);

}  // namespace polygraphy
