// The outputs of a model on both sides, judged by the job's check.
#pragma once

#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/locate_job.h"

namespace polygraphy {

// By LocateJob::check, of as many samples as there are feeds. An output that only one side has is
// off, unless each has its own model. Throws Error.
RunRecord checked_outputs(const LocateJob& job, const std::vector<ValueMap>& feeds,
                          const std::vector<ArrayMap>& reference,
                          const std::vector<ArrayMap>& target);

// Of outputs that were not compared, those that only one side has are off: both run one model.
void fail_missing(const ArrayMap& reference, const ArrayMap& target, JudgedSample& sample);

}  // namespace polygraphy
