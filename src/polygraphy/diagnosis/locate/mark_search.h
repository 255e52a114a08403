// Finds the tensors that must be outputs, too, for a difference of the model to vanish.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/locate_run.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// For a model whose outputs differ as it is, but not if all its tensors are outputs: an engine does
// not fuse nodes across an output, so the fault is in such a fusion. Both sides run on their own
// feeds, by sample; the reference may have saved results, the target has none. Where the outputs
// differ with all tensors as outputs, too, the result that is off first is to blame. `if_vanished`:
// the note where they do not differ now. Runs the target about 2 log2(tensors) times, and the
// reference, too, if its fusions make the difference. A runner that fails is a note. Throws what
// locate() throws.
LocateFusion find_fusion(const LocateRun& run, const WholeModel& model,
                         const std::vector<ValueMap>& reference_feeds,
                         const std::vector<ValueMap>& target_feeds,
                         const Measurements& measurements, std::string if_vanished);

}  // namespace polygraphy
