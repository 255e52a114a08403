// Tactics: the builder's choices per layer, which the timing cache keeps.
#pragma once

#include "building/config.h"
#include "running/plan.h"

namespace tensorrt_double {

// Takes each layer's tactic from the timing cache of `config`, or chooses one and puts it there. A
// bad tactic (the failure nan-on-second-build) makes the results of the plan NaN. Throws Refusal
// for a miss where the configuration says that a miss is an error.
void choose_tactics(Plan& plan, const ConfigImpl& config);

}  // namespace tensorrt_double
