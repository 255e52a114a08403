// The time of one node of a model, if the runtime reports it.
#pragma once

#include <string>

namespace polygraphy {

struct NodeTime {
  std::string node, op;  // names in the model if the runtime knows them
  std::string kernel;    // the runtime's own name of the implementation
  double microseconds = 0;
};

}  // namespace polygraphy
