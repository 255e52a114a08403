// `multi-device shard`, context parallelism: inserts collectives into a model, so that several
// devices share the work of one.
//
// A collective is a node DistCollective of the default domain with the attributes group_size, root,
// nb_rank, reduce_op, collective_operation and groups. It works along the first axis: all_gather
// concatenates the parts of all devices, reduce_scatter reduces element by element and gives each
// device its part, all_reduce reduces and gives each device the whole result.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/shard_hints.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy {

// Neither the hints nor the model have the rank of a tensor, but its axes must be swapped.
inline constexpr ErrorCode kShardRankUnknown{"shard-rank-unknown"};

struct ShardOptions {
  // The form of the attention layers in the hints.
  AttentionPattern pattern = AttentionPattern::kPlain;
  // Gathered graph outputs keep their names; else they have the names of the new tensors
  // ("shard_7"), as in the original.
  bool keep_output_names = false;
};

// Context parallelism: one model, which every device runs on the whole inputs. Each hinted input is
// scattered along its sequence; each hinted attention layer gathers keys and values (and queries,
// if its hint says so), or becomes an Attention node; each hinted output is gathered, unless a
// layer gathered its queries, because later tensors are whole then. A tensor is gathered once, and
// for its attention layers only. New nodes stand behind their producers. Dimensions of tensors that
// depend on scattered ones are dropped, because each device has smaller ones.
//
// Throws Error, naming hint, tensor and numbers, for hints that do not fit the model: unknown
// tensors and layers, axes and ranks that contradict the tensor, sequences that cannot be split
// evenly (if nb_rank > 1), invalid permutations, layers with masks or scales that an Attention node
// would lose. The model is undefined then. WARNING: keys or values are gathered along another axis
// than MatMul needs; the hints split nothing. O(graph).
void shard_sequence(graphsurgeon::Model& model, const ShardHints& hints,
                    const ShardOptions& options, Logger& log);

}  // namespace polygraphy
