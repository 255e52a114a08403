// Computes the accepted entries that have no value yet, by the evaluator.
#pragma once

#include <optional>

#include "graphsurgeon/fold/fold_state.h"

namespace graphsurgeon {

// One session for everything; more only after a failure: one for the main graph and one for each
// function, and then as options.partitioning says. Functions that import
// other opset versions than the model have sessions of their own. Entries that cannot be computed
// are refused, and so are those that turn out to be larger than thought; `growth` is what was
// accepted so far, and grows by what was not known then. Throws the evaluator's Error unless
// options.error_ok or recursive partitioning says otherwise.
void evaluate(FoldState& state, int64_t growth);

}  // namespace graphsurgeon
