// The algorithm selector, of versions that have it: it is offered algorithms for each layer.
#pragma once

#include <cstdint>
#include <optional>

#include "building/config.h"
#include "running/plan.h"

namespace tensorrt_double {

// What the selector of `config` makes of `tactics`, one of which each layer is built with, the
// first that is left: by layer, in order; nullopt where there is no selector. Throws Refusal where
// none is left.
std::optional<std::vector<uint64_t>> select_tactics(const Plan& plan, const ConfigImpl& config,
                                                    const std::vector<uint64_t>& tactics);

}  // namespace tensorrt_double
