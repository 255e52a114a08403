// The outputs of a model on both sides, judged by the job's check.
#pragma once

#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/locate.h"

namespace polygraphy {

// By LocateJob::check, of as many samples as there are feeds. An output that only one side has is
// off, as by noise. Throws Error.
RunRecord checked_outputs(const LocateJob& job, const std::vector<ValueMap>& feeds,
                          const std::vector<ArrayMap>& reference,
                          const std::vector<ArrayMap>& target);

}  // namespace polygraphy
