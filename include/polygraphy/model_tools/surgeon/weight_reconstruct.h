// Fills weights that were stripped (graphsurgeon/passes/weight_strip.h) with made-up values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

inline constexpr uint32_t kReconstructSeed = 1;

// Gives every initializer of the main graph with the mark in its doc string standard-normal values,
// converted to its type: those of np.random.seed(seed) and np.random.randn(), one weight after the
// other. Prunes weights that are marked as sparse, if possible (passes/prune.h). Doc strings stay.
// Values are computed during saving: O(graph) time and memory here. Returns the number of weights.
// Throws Error for a marked weight that holds values, or that has a non-numeric type.
size_t reconstruct_weights(graphsurgeon::Model& model, uint32_t seed, Logger& logger);

struct WeightReconstructOptions {
  SurgeryFiles files;
  uint32_t seed = kReconstructSeed;
};

// `surgeon weight-reconstruct`: the same for a model file. Returns the saved model. Throws Error.
graphsurgeon::Model weight_reconstruct(const WeightReconstructOptions& options, Logger& log);

}  // namespace polygraphy
