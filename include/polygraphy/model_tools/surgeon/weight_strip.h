// `surgeon weight-strip`: removes the values of the weights of a model file.
#pragma once

#include <set>
#include <string>

#include "base/log.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

struct WeightStripOptions {
  SurgeryFiles files;
  std::set<std::string> exclude = {};  // names of initializers that keep their values
};

// The names in a text file, one per line; blanks at the ends of lines are ignored. Throws IoError.
std::set<std::string> read_name_list(const std::string& path);

// Runs graphsurgeon's strip_weights(). Returns the saved model. Throws Error.
graphsurgeon::Model weight_strip(const WeightStripOptions& options, Logger& log);

}  // namespace polygraphy
