// The journal of `debug reduce` (--journal, --resume).
#pragma once

#include <memory>

#include "cli/session.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/reduce/oracle/journal.h"

namespace polygraphy::cli {

// Null without --journal. `model`: what is reduced, as the options have made it. A journal belongs
// to it, to the check and to the input data; not to the mode, so that one can follow another, nor
// to anything that has no say in a verdict. Reads all weights. Throws Error: --resume without
// --journal, and what Journal throws.
std::unique_ptr<Journal> open_journal(Session& session, const graphsurgeon::Model& model);

}  // namespace polygraphy::cli
