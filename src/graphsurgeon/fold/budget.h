// Decides which foldable results are worth their bytes in the file.
#pragma once

#include <cstdint>

#include "graphsurgeon/fold/fold_state.h"

namespace graphsurgeon {

// Growth limit, in bytes, for folding an input of a node that was itself refused.
inline constexpr int64_t kIdleGrowth = 4096;

// Sets the fate of the entries with results that staying nodes or outputs use. A result grows the
// file by its bytes less the bytes of the constants that nothing else uses. If all of them together
// stay within `limit` (nullopt: unlimited), all are accepted; else the smallest first, until the
// limit. The inputs of a refused entry are considered in its place; behind one that is refused for
// its size they are accepted only up to kIdleGrowth, so that small files stay small. Returns the
// growth of the accepted entries, as far as sizes are known; `deferred`: the bytes that accepting
// all would have added. O(entries log entries).
int64_t choose(FoldState& state, std::optional<int64_t> limit, int64_t& deferred);

}  // namespace graphsurgeon
