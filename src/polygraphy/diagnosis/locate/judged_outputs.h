// The outputs of a model on both sides, judged.
#pragma once

#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct SideOutputs {
  std::string name;               // of the side
  std::vector<ArrayMap> samples;  // with names of the target's model
};

// By LocateJob::check. An output that only one side has is off, unless each has its own model.
// Throws Error.
RunRecord outputs_by_check(const LocateRun& run, const std::vector<ValueMap>& feeds,
                           const SideOutputs& reference, const SideOutputs& target);

// By noise_floor(). `measurements`: where the noise is known, it is not measured again; `runs`:
// elsewhere the model runs for it. Throws what locate() throws.
RunRecord outputs_by_noise(const LocateRun& run, const WholeModel& model,
                           const std::vector<ValueMap>& feeds, const SideOutputs& reference,
                           const SideOutputs& target, const Measurements& measurements, bool runs,
                           Logger& log);

// Counts all outputs of the model.
Verdict verdict_on(const WholeModel& model, const RunRecord& outputs);

}  // namespace polygraphy
