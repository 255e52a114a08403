// Common parts of the `surgeon` commands: their options, and the end.
#pragma once

#include "cli/session/session.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy::cli {

// Understands the options of the groups that surgeon commands take: model, loading, saving. Throws
// Error.
SurgeryFiles resolve_surgery(Session& session);

// A run on the inputs of the options of args_data_loader, which are parsed when it runs. `session`
// must outlive it.
ObservedRun resolve_observed_run(Session& session, const Metadata& shapes);

// Gives up the model. Returns the exit code of success.
int finish(Session& session, graphsurgeon::Model result);

}  // namespace polygraphy::cli
