// `multi-device shard`, tensor parallelism: a model for each device, with its part of the weights.
#pragma once

#include <cstdint>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/shard_hints.h"
#include "polygraphy/models/sharding/shard_sequence.h"

namespace polygraphy {

// Tensor parallelism: the model of device `rank`, of dist_collectives.nb_rank. Each node
// AttentionPlugin gets its part of the heads of queries, keys and values (three inputs, or a Concat
// of them): the projections in front of it are split by columns, the projection behind it by rows;
// its caches and numbers of heads are divided. In each gated block (a Sigmoid of a product with one
// weight, multiplied with a product with another) both products are split by columns, the product
// behind by rows. A product split by rows computes parts of a sum, which an all_reduce adds.
// Constants on the way with a value per column are split with it, and numbers of heads in constants
// of Reshape are divided. `model` does not change, and shares the payloads that are not split.
// INFO: the split tensors.
//
// Throws Error, naming node, tensor and numbers, for weights and heads that cannot be split evenly,
// weights that are not constants, and plugins without the attributes num_q_heads and num_kv_heads.
// WARNING: nothing can be split. O(graph + split weights).
graphsurgeon::Model shard_weights(const graphsurgeon::Model& model, const ShardHints& hints,
                                  const ShardOptions& options, int64_t rank, Logger& log);

}  // namespace polygraphy
