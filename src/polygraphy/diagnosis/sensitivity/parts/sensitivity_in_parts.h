// find_sensitivity() of a model whose weights do not fit into memory together.
#pragma once

#include <optional>

#include "base/log.h"
#include "polygraphy/diagnosis/sensitivity/parts/part_sets.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The shares of SensitivityJob::memory_limit; nullopt: the whole model fits, or there is no limit.
// Throws Error (kNeedsWholeModel, kMemoryLimitTooLow).
std::optional<PartShares> forced_part_shares(const SensitivityJob& job);

// Effects of layers and of sets, without a mixed model. Throws what find_sensitivity() throws, and
// Error (kNotCut).
SensitivityResult sensitivity_in_parts(const SensitivityJob& job, const PartShares& shares,
                                       RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
