// `template shard-hints`: finds the attention layers of a model, and what their sequence is in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/shard_hints.h"

namespace polygraphy {

// What counts as an attention layer, in the main graph.
enum class AttentionPattern : uint8_t {
  kPlain,   // MatMul(q, k), Softmax, MatMul(…, v), and nothing between
  kScaled,  // the same behind q and k that are each multiplied by the root of 1/sqrt(size of a
            // head), computed from the shape of q: as PyTorch exports it
  kAny,     // the plain one; masks, scales and casts may stand before the Softmax, casts behind it
};

enum class ContextParallelism : uint8_t {
  kNative,  // keys and values are gathered
  kFused,   // an Attention node replaces the layer
};

struct HintOptions {
  Parallelism parallelism = Parallelism::kContext;
  ContextParallelism form = ContextParallelism::kNative;
  AttentionPattern pattern = AttentionPattern::kPlain;
  DistCollective collectives{};
  bool suggest_io = true;  // look for the inputs and outputs that have the sequence
  // Axes of the sequence, unless a dimension is called seq_len or sequence_length.
  int64_t input_index = 0, output_index = 0, k_index = 0, v_index = 0;
  // For tensors whose rank the model does not say.
  std::optional<int64_t> input_rank{}, output_rank{}, kv_rank{};
  // Of fused layers.
  FusedAttention fused{};
};

// Hints for the model as it is. Inputs: those of the graph that an attention layer depends on;
// outputs: the first on each way that depend on it; each once, in the order in which they are
// found, nearest first. INFO: what was found. Throws Error when two nodes have one name. O(graph).
ShardHints suggest_shard_hints(const graphsurgeon::Model& model, const HintOptions& options,
                               Logger& log);

}  // namespace polygraphy
