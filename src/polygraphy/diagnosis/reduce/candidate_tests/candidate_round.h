// Rounds of a debugging loop that check a candidate: its file, and its entry in the replay.
#pragma once

#include <string>

#include "base/error.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/debug_loop/replay.h"

namespace polygraphy {

// Of the main graph; "num_nodes" in the replay.
int64_t node_count(const graphsurgeon::Model& model);

// The values that the replay keeps of a round that checks this model.
OrderedMap<int64_t> replay_state(const graphsurgeon::Model& model);
// Throws Error (kForeignReplay) unless the replayed round `index` had a candidate of this size.
void check_replayed(const graphsurgeon::Model& model, int64_t index, const ReplayEntry& entry);
inline constexpr ErrorCode kForeignReplay{"foreign-debug-replay"};

}  // namespace polygraphy
