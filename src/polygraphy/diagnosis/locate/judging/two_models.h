// Nodes that are judged beside those of another model.
#pragma once

#include <cstddef>
#include <vector>

#include "polygraphy/diagnosis/locate/models/reference_model.h"
#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

// Nodes whose results the reference's model does not have, such as those that quantise, say nothing
// about those behind them: these are judged by the nodes before, which replace them in `producers`.
// Their findings say with which node they ran. O(nodes of all spans).
void skip_own_nodes(const ReferenceModel& reference, const WholeModel& model,
                    std::vector<std::vector<size_t>>& producers,
                    std::vector<NodeFinding>& findings);

// Their nodes are guilty, whatever the outputs are.
void blame_wrong_weights(std::vector<WrongWeight> weights, std::vector<NodeFinding>& findings);

// Of a guilty node, without a wrong weight, that ran with nodes which the reference's model lacks,
// other than those that quantise: these are guilty, too, with its figures. They come before it, and
// `ran_with` has its name. O(nodes of their spans).
void blame_inserted_nodes(const ReferenceModel& reference, const WholeModel& model,
                          std::vector<NodeFinding>& findings);

// Leaves it open whether nodes are guilty of rounding that the noise does not count. O(nodes of
// their spans).
void acquit_of_unknown_rounding(const ReferenceModel& reference, const WholeModel& model,
                                std::vector<NodeFinding>& findings);

}  // namespace polygraphy
