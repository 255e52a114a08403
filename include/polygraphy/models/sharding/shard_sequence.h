// `multi-device shard`, context parallelism: inserts collectives into a model, so that several
// devices compute together what one computed.
//
// A collective is a node DistCollective of the default domain with the attributes group_size, root,
// nb_rank, reduce_op, collective_operation and groups. It works along the first axis: all_gather
// puts the parts of all devices one behind the other, reduce_scatter reduces element by element and
// gives each device its part, all_reduce reduces and gives all to each.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/shard_hints.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy {

// Neither the hints nor the model say the rank of a tensor whose axes are to be swapped.
inline constexpr ErrorCode kShardRankUnknown{"shard-rank-unknown"};

struct ShardOptions {
  // What the hints call attention layers.
  AttentionPattern pattern = AttentionPattern::kPlain;
  // Gathered outputs of the graph keep their names; else they have those of the new tensors
  // ("shard_7"), as with the original.
  bool keep_output_names = false;
};

// Context parallelism: one model, which every device runs on the whole inputs. Each hinted input is
// scattered along its sequence; each hinted attention layer gathers keys and values (and queries,
// if its hint says so), or becomes an Attention node; each hinted output is gathered, unless a
// layer gathered its queries, so that what follows is whole. A tensor is gathered once, and for its
// attention layers only. New nodes stand behind what they need. Dimensions of tensors that depend
// on scattered ones are forgotten, since each device has fewer.
//
// Throws Error, naming hint, tensor and numbers, for hints that do not fit the model: unknown
// tensors and layers, axes and ranks that are not those of the tensor, sequences that cannot be
// split evenly (where nb_rank > 1 says among how many), permutations that are none, layers with
// masks or scales that an Attention node would lose. The model is undefined then. WARNING: keys or
// values that are gathered along another axis than MatMul needs; hints of which nothing is split.
// O(graph).
void shard_sequence(graphsurgeon::Model& model, const ShardHints& hints,
                    const ShardOptions& options, Logger& log);

}  // namespace polygraphy
