// Verdicts on nodes, from figures.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

struct VerdictRules {
  NumberFormat format = NumberFormat::kFloat32;
  double threshold = 3;
  double amplifies = 10;  // from this amplification on
};

// Fills `verdict` of the findings, which are of the nodes in the order of data. `producers`: of
// each node the positions in `findings` of those that make its inputs.
void judge(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
           const VerdictRules& rules);

// Sorts by verdict, then by error; stable.
void rank(std::vector<NodeFinding>& findings);

}  // namespace polygraphy
