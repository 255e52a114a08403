// Computes the accepted entries that have no value yet, by the evaluator.
#pragma once

#include <optional>

#include "graphsurgeon/fold/fold_state.h"

namespace graphsurgeon {

// One session for everything; more only after a failure: one for the main graph and one for each
// function, and then by options.partitioning. Functions that import other opset versions than the
// model have separate sessions. Entries that cannot be computed are refused, and so are those that
// are larger than estimated; `growth` is the accepted growth so far, to which it adds results of
// unknown size. Throws the evaluator's Error unless options.error_ok or recursive partitioning says
// otherwise.
void evaluate(FoldState& state, int64_t growth);

}  // namespace graphsurgeon
