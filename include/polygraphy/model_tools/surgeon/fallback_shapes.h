// Observes types and shapes that shape inference cannot find, by running the model once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

// The model could not run, so types and shapes were not observed.
inline constexpr ErrorCode kNotObserved{"not-observed"};

// The named variables of the main graph: its inputs, then outputs of its nodes, in order.
std::vector<graphsurgeon::TensorRef> observable_tensors(const graphsurgeon::Model& model);

// Options of the run that observes types and shapes.
struct ObservedRun {
  PluginPaths plugins = {};  // search paths of ONNX Runtime
  // Makes the inputs of the run, which may refer to the model. Empty: generated ones.
  std::function<std::unique_ptr<FeedSource>(const graphsurgeon::Model&, Logger&)> feeds = {};
  CancelToken cancel = {};  // checked by the runtime; throws Interrupted
};

// Runs the model once and returns the types and static shapes of `tensors` of its main graph, in
// their order. Only these are outputs of the run; the model does not change. Leaves out, with a
// VERBOSE line, sequences, maps, empty optionals, and variables without a producer. Constants need
// no run; for constants alone, nothing runs.
//
// INFO as in the original: the metadata of the feed. Throws Error if the runtime cannot load or run
// the model, or without a feed. Memory: all observed tensors, beside the runtime's.
Metadata observe_shapes(const ObservedRun& run, const graphsurgeon::Model& model,
                        const std::vector<graphsurgeon::TensorRef>& tensors, Logger& log);

// Writes types and shapes into the variables of the main graph that have these names; equal values
// are not an edit. Returns the number of changed tensors.
size_t apply_shapes(graphsurgeon::Model& model, const Metadata& observed);

}  // namespace polygraphy
