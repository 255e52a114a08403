// The result that the record of a model shows.
#pragma once

#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/located_model.h"

namespace polygraphy {

// Without ranks, and without what follows from more runs of the whole model: bodies of nodes, proof
// and remedy. `chains`: of nodes that were measured among their neighbours. Throws Error
// (kNothingToLocate) if no tensor was compared, though there are some.
LocateResult recorded_result(const LocatedModel& of, const std::vector<NodePart>& chains,
                             const LocateRecord& record);

// The model's outputs with errors beyond their noise, with all tensors marked.
std::vector<std::string> outputs_off(const LocateJob& job, const WholeModel& model,
                                     const Measurements& measurements);

// Whether nodes, compared with all tensors marked, explain why the model differs: then no fusion is
// looked for. `off`: outputs_off().
bool is_explained(const std::vector<NodeFinding>& findings, const std::vector<std::string>& off);

// The nodes that make or read the tensors of the fusion become guilty.
void add_fusion(LocateFusion fusion, LocateResult& result);

}  // namespace polygraphy
