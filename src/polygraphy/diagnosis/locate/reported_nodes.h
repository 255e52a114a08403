// The parts of a report that follow from the findings on nodes.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Throws Error (kNothingToLocate) if no tensor was compared, though there are some.
void require_anything(const std::vector<NodeFinding>& findings);

// The model's outputs with errors beyond their noise, with all tensors marked.
std::vector<std::string> outputs_off(const LocateJob& job, const WholeModel& model,
                                     const Measurements& measurements);

// Whether nodes, compared with all tensors marked, explain why the model differs: then no fusion is
// looked for. `off`: outputs_off().
bool is_explained(const std::vector<NodeFinding>& findings, const std::vector<std::string>& off);

// The nodes that make or read the tensors of the fusion become guilty.
void blame_fused(const LocateFusion& fusion, std::vector<NodeFinding>& findings);

// Notes the first node that the runtime for noise computes in another way than the reference, which
// may be wrong.
void add_reference_note(const LocateJob& job, const WholeModel& model,
                        const Measurements& measurements, LocateResult& result);

}  // namespace polygraphy
