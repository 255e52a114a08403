// `debug reduce --mode bisect` and linear: cutting nodes off the end and off the beginning.
#pragma once

#include <memory>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"
#include "polygraphy/diagnosis/search/marker_search.h"

namespace polygraphy {

struct ClassicOptions {
  MarkerOrder order = MarkerOrder::kBisect;
  bool outputs = true;     // cut nodes off the end
  bool inputs = true;      // and off the beginning
  bool want_good = false;  // the passing model that is closest in size, too
};

struct Reduction {
  // The smallest model found that fails; null: no candidate failed, and neither does the model.
  std::unique_ptr<graphsurgeon::Model> bad;
  // The closest passing model, as it was checked. Null: not requested, or no candidate passed.
  std::unique_ptr<graphsurgeon::Model> good;
  bool interrupted = false;  // the results are those found until then
};

// Two searches over the nodes that depend on inputs: first for the earliest place to end, then, in
// the remaining nodes, for the latest place to begin. Types and shapes of new inputs come from the
// model, or else from running the part before them; tensors that bypass the cut are frozen to their
// recorded values, or become inputs where there are several samples or no value. The model is not
// touched. If no candidate failed, the model itself is checked, so that the result always failed a
// check. Memory: two candidates' structure; weights are shared. The test must not cache(): each
// step is a round. Throws Error: what the check, the write function and running the model throws; a
// replay of another model or sequence.
Reduction classic_reduce(const graphsurgeon::Model& model, const ClassicOptions& options,
                         Intermediates& intermediates, CandidateTester& test, Logger& log);

}  // namespace polygraphy
