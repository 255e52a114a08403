#include "polygraphy/diagnosis/locate/models/read_instead.h"

namespace polygraphy {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

std::string input_instead_of(const std::string& tensor) {
  return "instead of\x1f" + tensor;
}

Model reading_instead(Model model, const ArrayMap& values) {
  const auto by_name = model.graph->tensor_map();
  for (const auto& [name, value] : values) {
    const TensorRef computed(by_name.at(name));
    const TensorRef input = model.graph->variable(input_instead_of(name), value.dtype());
    model.graph->mutable_inputs().push_back(input);
    for (const NodeRef& consumer : computed->consumers().snapshot()) {
      for (size_t i = 0; i < consumer->inputs().size(); ++i) {
        if (consumer->inputs()[i] == computed.get()) consumer->inputs().set(i, input);
      }
    }
  }
  return model;
}

}  // namespace polygraphy
