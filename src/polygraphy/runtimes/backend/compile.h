// Requests to a library that compiles models: compilation and inspection, without inference.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/session_options.h"

struct pgb_backend_options;

namespace polygraphy {

class PluginHost;

enum class Compilation : uint32_t {
  kArtefact,    // BackendInstance::build(), for load()
  kNetwork,     // pgb_inspect.network: JSON
  kCapability,  // pgb_inspect.capability: JSON
  kEngine,      // pgb_inspect.engine: JSON
  kWeights,     // pgb_inspect.network_with_weights
};

// `path`: the file for the answer; empty: it is returned. Throws RunnerFailure: the library cannot
// do it with this model; Error: it does not do it at all, or a file beside the artefact cannot be
// written (the artefact is).
std::string compile(Compilation wanted, PluginHost& host, const pgb_backend_options& backend,
                    const ModelSource& model, const SessionOptions& options,
                    const std::string& library, Logger& log, const std::string& path = {});
// The same of a model in memory; the answer is returned.
std::string compile(Compilation wanted, PluginHost& host, const pgb_backend_options& backend,
                    const graphsurgeon::Model& model, const SessionOptions& options,
                    const std::string& library, Logger& log);

}  // namespace polygraphy
