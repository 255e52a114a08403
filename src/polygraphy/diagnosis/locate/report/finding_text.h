// The place of a node and the reason for its verdict, as parts of a line.
#pragma once

#include <string>

#include "polygraphy/diagnosis/locate/node_finding.h"

namespace polygraphy {

// "'conv_3' (Conv) in loop_1/body, module encoder.layer.0".
std::string finding_place(const NodeFinding& finding);
// "relative error 1.7, 16.5× the format's noise", or the note of the finding.
std::string finding_reason(const NodeFinding& finding);

}  // namespace polygraphy
