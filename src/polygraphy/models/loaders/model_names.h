// The names of a model's inputs and outputs, without loading it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

struct ModelNames {
  std::vector<std::string> inputs;  // without those that are initializers too
  std::vector<std::string> outputs;
};

// From an encoded ModelProto. Looks at the headers of the graph's fields and inside a few of them:
// nodes and values are stepped over. Nothing when it is damaged or no model.
ModelNames read_model_names(std::string_view model);

}  // namespace polygraphy
