// The number format that the options of a runner request.
#pragma once

#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

// The coarsest format that the options of its back end name ("fp16", "precision=bf16" …); float32
// where they name none.
NumberFormat requested_format(const RunnerSpec& spec);

}  // namespace polygraphy
