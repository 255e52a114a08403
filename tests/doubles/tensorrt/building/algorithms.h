// The algorithm selector, of versions that have it: it is offered algorithms for each layer.
#pragma once

#include <cstdint>
#include <optional>

#include "building/config.h"
#include "running/plan.h"

namespace tensorrt_double {

// The selections of `tactics` by the selector of `config`, by layer, in order; each layer uses the
// first remaining one. nullopt without a selector. Throws Refusal if a layer has no tactic left.
std::optional<std::vector<uint64_t>> select_tactics(const Plan& plan, const ConfigImpl& config,
                                                    const std::vector<uint64_t>& tactics);

}  // namespace tensorrt_double
