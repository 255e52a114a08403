// The models that `debug reduce` has checked: cuts of one model, completed so that they can run.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"
#include "polygraphy/diagnosis/search/marker_search.h"
#include "polygraphy/models/candidates/split_at.h"

namespace polygraphy {

class StepCandidates {
 public:
  // `base`: in the second phase without unused nodes, because nothing lies behind such a node. It
  // must outlive this.
  StepCandidates(const graphsurgeon::Model& base, ReducePhase phase);

  int64_t steps() const { return static_cast<int64_t>(steps_.size()); }
  // The candidate that is cut at a step; logs marked and frozen tensors.
  graphsurgeon::Model at(int64_t step, CandidateTools& tools) const;
  // How many nodes it has. O(log steps) for one that is known or has been made.
  int64_t nodes(int64_t step) const;

 private:
  Split split_at(int64_t step) const;

  const graphsurgeon::Model& base_;
  ReducePhase phase_;
  std::vector<size_t> steps_;
  mutable std::map<int64_t, int64_t> node_counts_;  // by step
};

// "Marking model outputs: [Variable (y): (shape=[1, 4], dtype=float32)]".
void log_marked(ReducePhase phase, const std::vector<graphsurgeon::TensorRef>& tensors,
                Logger& log);

}  // namespace polygraphy
