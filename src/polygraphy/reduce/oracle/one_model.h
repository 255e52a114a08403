// What a debugging loop checks when it checks one model, and what its replay remembers of it.
#pragma once

#include <functional>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/debug/loop.h"

namespace polygraphy {

// Writes a candidate to a file for the check.
using WriteModel =
    std::function<void(const graphsurgeon::Model&, const std::string& path, Logger& log)>;

// Its nodes: what the replay calls "num_nodes".
int64_t node_count(const graphsurgeon::Model& model);

// Fills `round.state`.
void note_candidate(const graphsurgeon::Model& model, LoopRound& round);
// Throws Error unless the replayed round had a candidate of this size.
void check_replayed(const graphsurgeon::Model& model, const LoopRound& round);

}  // namespace polygraphy
