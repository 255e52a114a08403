// How long one node of a model took, where an engine tells.
#pragma once

#include <string>

namespace polygraphy {

struct NodeTime {
  std::string node, op;  // as in the model where the engine knows
  std::string kernel;    // the engine's own name of the implementation
  double microseconds = 0;
};

}  // namespace polygraphy
