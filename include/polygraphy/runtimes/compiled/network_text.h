// A network of an engine's builder as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

struct NetworkTextOptions {
  bool layers = false;
  bool attrs = false;    // with layers
  bool weights = false;  // with attributes: those that are weights, too
};

// As `inspect model --display-as trt` shows it. O(network).
std::string network_text(const NetworkDescription& network, const NetworkTextOptions& options);
// The same of a graph of TensorFlow, as `inspect model` shows it.
std::string tensorflow_text(const NetworkDescription& graph, const NetworkTextOptions& options);

}  // namespace polygraphy
