// Running the nodes of a model one by one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/lint/lint_backend.h"
#include "polygraphy/model_tools/lint/report.h"

namespace polygraphy {

// Runs each node of the main graph with known inputs, in file order, as a separate model, and adds
// the back end's messages to the report. Captures of subgraphs become inputs, too. Skips nodes
// behind a failing one. Values live until their last reader has run. Returns the number of nodes
// that crashed their process. Throws Error (for faults outside of the model) and Interrupted.
size_t run_nodes(const graphsurgeon::Model& model, const std::vector<std::string>& node_names,
                 const ValueMap& feed, LintBackend& backend, LintReport& report, Logger& log);

// The finding that the back end's message is, of a node with this name.
Finding refusal_of(const graphsurgeon::Node& node, const std::string& name, std::string message);

}  // namespace polygraphy
