// Outputs of a result that were compared with nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/pairs/pair_batches.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// The names of those of one side, in its order. `name_of`: the member with the side's name.
std::vector<std::string_view> unpaired(const IterationResult& result,
                                       const std::vector<ComparedPair>& compared,
                                       std::string_view ComparedPair::* name_of);

// Of sequences that both have, the items of either that were compared with nothing: logged as
// failed. Of sequences that one of them lacks, a warning: it may be empty there, or not be among
// saved outputs.
std::vector<std::string> unpaired_items(const IterationResult& result0,
                                        const IterationResult& result1,
                                        const std::vector<ComparedPair>& compared, bool first,
                                        Logger& log);

// Of results without a common output: throws Error, unless neither has an output.
void require_common_outputs(const IterationResult& result0, const IterationResult& result1);

// A metric judges none of the outputs that both results have: always throws Error. `result`: one of
// them.
[[noreturn]] void refuse_unjudged(std::string_view metric, const IterationResult& result);

}  // namespace polygraphy
