// Types and shapes by running the model once: for what shape inference cannot tell.
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

// The model could not be run to see types and shapes.
inline constexpr ErrorCode kNotObserved{"not-observed"};

// The variables of the main graph that have a name: its inputs, then what its nodes produce, in
// order.
std::vector<graphsurgeon::TensorRef> observable_tensors(const graphsurgeon::Model& model);

// How a model is run once to see types and shapes.
struct ObservedRun {
  PluginPaths plugins = {};  // where ONNX Runtime is looked for
  // The inputs of the run, which may refer to the model. Empty: generated ones.
  std::function<std::unique_ptr<FeedSource>(const graphsurgeon::Model&, Logger&)> feeds = {};
  CancelToken cancel = {};  // asked by the runtime: Interrupted
};

// Runs the model once and returns what `tensors` of its main graph turned out to be, in their
// order; shapes are static. Only these become outputs of what is run, and the model is not touched.
// Left out, with a VERBOSE line: sequences, maps, optionals that held nothing, and variables that
// nothing produces. Constants tell what they are without a run; when nothing else is asked, nothing
// is run.
//
// INFO as the original: the metadata of the feed. Throws Error: the runtime cannot load or run the
// model, or there is no feed. Memory: the observed tensors at once, besides what the runtime needs.
Metadata observe_shapes(const ObservedRun& run, const graphsurgeon::Model& model,
                        const std::vector<graphsurgeon::TensorRef>& tensors, Logger& log);

// Writes them into the variables of the main graph that have these names; what a tensor says
// already is no edit. Returns the number of tensors changed.
size_t apply_shapes(graphsurgeon::Model& model, const Metadata& observed);

}  // namespace polygraphy
