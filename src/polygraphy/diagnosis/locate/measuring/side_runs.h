// Runs a side of a comparison, or takes what it has saved.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

using TakeTensors = std::function<void(int64_t sample, ArrayMap tensors)>;

// Hands the tensors of each sample to `take`: outputs of `source`, run once on each of the feeds,
// or, without a maker, those of the saved results that have these names. Outputs that the source
// names are run in several parts where the engine fails on all of them; a sample's tensors then
// come in parts, some of them twice. Throws what run_samples() throws.
void run_side(const LocateSide& side, const std::optional<RunnerMaker>& maker,
              const ModelSource& source, const std::vector<std::string>& names,
              const std::vector<ValueMap>& feeds, const TakeTensors& take,
              const CancelToken& cancel, Logger& log);

// Of the reference, whichever model it runs: hands those of the tensors of `model`, the target's,
// that it has to `take`. `feeds`: of the target. Throws the same.
void run_reference_side(const LocateRun& run, const WholeModel& model,
                        const std::vector<std::string>& names, const std::vector<ValueMap>& feeds,
                        const TakeTensors& take, Logger& log);

}  // namespace polygraphy
