// Fills weights that were stripped (graphsurgeon/passes/weight_strip.h) with made-up values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

inline constexpr uint32_t kReconstructSeed = 1;

// Every initializer of the main graph whose doc string holds the mark gets standard-normal values,
// converted to its type: those that np.random.seed(seed) and np.random.randn() give, one weight
// after the other. Weights that are marked as sparse are pruned then, if they can be (passes/
// prune.h). Doc strings stay. Values are made up while they are saved: O(graph) time and memory
// here. Returns how many. Throws Error for a marked weight that holds values, or whose type has no
// numbers.
size_t reconstruct_weights(graphsurgeon::Model& model, uint32_t seed, Logger& logger);

struct WeightReconstructOptions {
  SurgeryFiles files;
  uint32_t seed = kReconstructSeed;
};

// `surgeon weight-reconstruct`: the same for a model file. Returns the result as it is saved.
// Throws Error.
graphsurgeon::Model weight_reconstruct(const WeightReconstructOptions& options, Logger& log);

}  // namespace polygraphy
