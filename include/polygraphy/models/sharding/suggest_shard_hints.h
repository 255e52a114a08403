// `template shard-hints`: finds the attention layers of a model, and the inputs and outputs with
// their sequence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/shard_hints.h"

namespace polygraphy {

enum class ContextParallelism : uint8_t {
  kNative,  // keys and values are gathered
  kFused,   // an Attention node replaces the layer
};

struct HintOptions {
  Parallelism parallelism = Parallelism::kContext;
  ContextParallelism form = ContextParallelism::kNative;
  AttentionPattern pattern = AttentionPattern::kPlain;
  DistCollective collectives{};
  bool suggest_io = true;  // also suggest the inputs and outputs with the sequence
  // Axes of the sequence, unless a dimension has the name seq_len or sequence_length.
  int64_t input_index = 0, output_index = 0, k_index = 0, v_index = 0;
  // For tensors of unknown rank.
  std::optional<int64_t> input_rank{}, output_rank{}, kv_rank{};
  // For fused layers.
  FusedAttention fused{};
};

// Hints for the unmodified model. Inputs: graph inputs that an attention layer depends on. Outputs:
// the first ones on each path that depend on it. Each once, in the order of detection, nearest
// first. INFO: the hints. Throws Error if two nodes share a name. O(graph).
ShardHints suggest_shard_hints(const graphsurgeon::Model& model, const HintOptions& options,
                               Logger& log);

}  // namespace polygraphy
