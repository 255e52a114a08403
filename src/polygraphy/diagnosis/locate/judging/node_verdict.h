// Verdicts on nodes, from figures.
#pragma once

#include <vector>

#include "polygraphy/diagnosis/locate/node_finding.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

struct VerdictRules {
  NumberFormat format = NumberFormat::kFloat32;
  double threshold = 3;
  double amplifies = 10;  // the least amplification of an amplifier
};

// Sets `verdict` of the findings, which are in the order of data. `producers`: for each node, the
// positions in `findings` of the producers of its inputs.
void judge(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
           const VerdictRules& rules);

// Sorts by verdict, then by error; stable.
void rank(std::vector<NodeFinding>& findings);

}  // namespace polygraphy
