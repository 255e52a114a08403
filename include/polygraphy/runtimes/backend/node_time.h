// How long one node of a model took, where a runtime tells.
#pragma once

#include <string>

namespace polygraphy {

struct NodeTime {
  std::string node, op;  // as in the model where the runtime knows
  std::string kernel;    // the runtime's own name of the implementation
  double microseconds = 0;
};

}  // namespace polygraphy
