// A network of an engine's builder as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

struct NetworkTextOptions {
  bool layers = false;
  bool attrs = false;    // with layers
  bool weights = false;  // with attributes: include weights
};

// The text of `inspect model --display-as trt`. O(network).
std::string network_text(const NetworkDescription& network, const NetworkTextOptions& options);
// The text of `inspect model` for a graph of TensorFlow.
std::string tensorflow_text(const NetworkDescription& graph, const NetworkTextOptions& options);

}  // namespace polygraphy
