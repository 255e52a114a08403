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

// Runs each node of the main graph whose inputs are known, in file order, as a model of its own,
// and says in the report what the back end says of it. What subgraphs use of the outer graph are
// inputs, too. Nodes behind one that fails are left out. Values live until their last reader has
// run. Returns how many nodes ended the process that ran them. Throws Error (not of the model's
// making) and Interrupted.
size_t run_nodes(const graphsurgeon::Model& model, const std::vector<std::string>& node_names,
                 const ValueMap& feed, LintBackend& backend, LintReport& report, Logger& log);

}  // namespace polygraphy
