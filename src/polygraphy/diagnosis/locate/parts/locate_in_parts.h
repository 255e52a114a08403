// locate() of a model whose weights do not fit into memory together, in one process.
#pragma once

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "polygraphy/diagnosis/locate/parts/locate_parts.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The most that a part may take within LocateJob::memory_limit; nullopt: the whole model fits, or
// there is no limit. Throws Error (kNeedsWholeModel, kMemoryLimitTooLow).
std::optional<int64_t> forced_part_bytes(const LocateJob& job);

// Measures all parts in place, then alone. Tensors of parts are in a temporary folder meanwhile.
// LocateJob::quantization has no effect, which a note says: forced_part_bytes() throws for models
// on which it has one.
// Throws what locate() throws, and Error (kNotCut).
LocateResult locate_in_parts(LocatePartsJob job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
