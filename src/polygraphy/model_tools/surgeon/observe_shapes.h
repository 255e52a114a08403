// Types and shapes by running the model on a runtime that is open already.
#pragma once

#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

class BundledRuntime;

// As observe_shapes() of an ObservedRun (fallback_shapes.h), on the next of `feeds`.
Metadata observe_shapes(BundledRuntime& runtime, const graphsurgeon::Model& model,
                        const std::vector<graphsurgeon::TensorRef>& tensors, FeedSource& feeds,
                        Logger& log);

}  // namespace polygraphy
