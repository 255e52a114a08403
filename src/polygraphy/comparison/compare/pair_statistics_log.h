// The statistics of both outputs of a pair, as comparisons log them.
#pragma once

#include "base/log.h"
#include "polygraphy/comparison/compare/pairs/pair_batches.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// With those that metrics have computed. Nothing where no message would be seen.
void log_pair_statistics(const ComparedPair& one, const IterationResult& result0,
                         const IterationResult& result1, Logger& log);

}  // namespace polygraphy
