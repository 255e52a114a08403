// find_sensitivity() of a model whose weights do not fit into memory together.
#pragma once

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// Shares of a memory limit.
struct PartShares {
  int64_t part_bytes = 0;  // weights and tensors of a part
  uint64_t set_bytes = 0;  // values of all sets of a pass
};

// The shares of SensitivityJob::memory_limit; nullopt: the whole model fits, or there is no limit.
// Throws Error (kNeedsWholeModel, kMemoryLimitTooLow).
std::optional<PartShares> forced_part_shares(const SensitivityJob& job);

// Effects of layers and of sets, without a mixed model. Throws what find_sensitivity() throws, and
// Error (kNotCut).
SensitivityResult sensitivity_in_parts(const SensitivityJob& job, const PartShares& shares,
                                       RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
