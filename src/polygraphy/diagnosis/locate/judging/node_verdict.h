// Verdicts on nodes, from figures.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/locate/node_finding.h"

namespace polygraphy {

struct VerdictRules {
  double threshold = 3;
  std::vector<std::string> outputs = {};  // of the model

  bool makes_output(const NodeFinding& finding) const {
    return std::ranges::find_first_of(finding.makes, outputs) != finding.makes.end();
  }
};

// Sets `verdict` of the findings, which are in the order of data. `producers`: for each node, the
// positions in `findings` of the producers of its inputs.
void judge(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
           const VerdictRules& rules);

// Sorts by verdict, then by error; stable.
void rank(std::vector<NodeFinding>& findings);

}  // namespace polygraphy
