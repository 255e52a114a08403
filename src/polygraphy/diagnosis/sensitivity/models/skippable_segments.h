// A model cut into segments that a run can leave out, because their results are known.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"

namespace polygraphy {

struct Segment {
  std::string skip;  // an input, a bool: the results are given
  struct Result {
    std::string output, given;  // an output of the model, and an input
    DataType dtype = DataType::kUndefined;
    size_t rank = 0;
  };
  std::vector<Result> results;
};

struct SkippableModel {
  std::vector<Segment> segments;  // the rest of the model is not skipped
  // The first segment that a site changes, as the sites of the model; segments.size(): the rest.
  std::vector<size_t> first;
};

// Puts the beginning of the model into If nodes, about a sixteenth of the sites in each. A cut is
// where at most a few tensors are alive; without such places there are no segments. O(model).
SkippableModel make_skippable(OverridableModel& model);

}  // namespace polygraphy
