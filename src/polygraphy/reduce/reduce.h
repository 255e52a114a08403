// Shrinking a failing model to the nodes that fail: `debug reduce`.
#pragma once

#include <memory>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/reduce/oracle/loop_oracle.h"
#include "polygraphy/reduce/recordings/recordings.h"
#include "polygraphy/reduce/search/index_search.h"

namespace polygraphy {

struct ReduceOptions {
  ReduceMode mode = ReduceMode::kBisect;
  bool outputs = true;     // cut nodes off the end
  bool inputs = true;      // and off the beginning
  bool want_good = false;  // the passing model that is closest in size, too
};

struct Reduction {
  // The smallest model found that fails; null: no candidate failed, and neither does the model.
  std::unique_ptr<graphsurgeon::Model> bad;
  // Null: none was asked for, or none passed. It was checked as it is.
  std::unique_ptr<graphsurgeon::Model> good;
  bool interrupted = false;  // what was found until then
};

// Two searches over the nodes that depend on inputs: first for the earliest place to end, then, in
// what is left, for the latest place to begin. Types and shapes of new inputs come from the model,
// or else from running the part before them; what comes past a cut on another branch becomes a
// constant with the value it has on the sample, or an input where there are several samples or no
// value. The model is not touched. Where no candidate failed, the model itself is checked, so that
// it is never called the minimum untried. Memory: two candidates' structure; weights are shared.
// `ahead`: recordings of the same model, for what is tried on guesses; null: nothing is. The oracle
// must not cache(): each step is a round.
// Throws Error: what the check, the write function and the recordings throw; a replay of another
// model or sequence.
Reduction reduce_model(const graphsurgeon::Model& model, const ReduceOptions& options,
                       Recordings& recordings, Recordings* ahead, LoopOracle& oracle, Logger& log);

}  // namespace polygraphy
