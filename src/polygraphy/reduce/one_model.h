// What a debugging loop checks when it checks one model, and what its replay remembers of it.
#pragma once

#include <functional>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/debug/loop.h"

namespace polygraphy {

// Writes a candidate where the check expects it.
using WriteModel = std::function<void(const graphsurgeon::Model&)>;

// Its nodes: what the replay calls "num_nodes".
int64_t node_count(const graphsurgeon::Model& model);

// Writes the model for the check. Fills `round.state`.
void put_candidate(const graphsurgeon::Model& model, const WriteModel& write, LoopRound& round);
// Throws Error unless the replayed round had a candidate of this size.
void check_replayed(const graphsurgeon::Model& model, const LoopRound& round);

// One round on a model that there is already. Both must outlive it.
class OneModel : public LoopSubject {
 public:
  OneModel(const graphsurgeon::Model& model, const WriteModel& write)
      : model_(model), write_(write) {}
  std::optional<Verdict> make(LoopRound& round) override {
    put_candidate(model_, write_, round);
    return std::nullopt;
  }
  void replay(const LoopRound& round) override { check_replayed(model_, round); }
  bool next(const LoopRound&) override { return false; }

 private:
  const graphsurgeon::Model& model_;
  const WriteModel& write_;
};

}  // namespace polygraphy
