#include "polygraphy/models/loaders/override_shapes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/passes/override_input_shapes.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/data/tensors/graph_metadata.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

}  // namespace

void override_shapes(Model& model, const Metadata& shapes, Logger& log) {
  const TensorLookup tensors(*model.graph);
  std::vector<std::pair<TensorRef, DimList>> wanted;
  for (const auto& [name, info] : shapes) {
    Tensor& tensor = tensors.get(name);
    const auto& inputs = model.graph->inputs();
    if (std::find(inputs.begin(), inputs.end(), TensorRef(&tensor)) == inputs.end()) {
      std::vector<std::string> names;
      for (const TensorRef& input : inputs) names.emplace_back(input->name());
      throw Error(kShapeOfIntermediate,
                  "The shape of the tensor '" + name +
                      "' cannot be overridden: it is not an input of the model.",
                  "Inputs: " + join(std::span<const std::string>(names), ", ") + ".");
    }
    if (info.shape) wanted.emplace_back(&tensor, *info.shape);
  }
  graphsurgeon::override_input_shapes(model, wanted);
  log.info(log_modules::kToolUtil,
           "Overriding input shapes to:\n" + to_text(metadata_of_variables(model.graph->inputs())));
}

}  // namespace polygraphy
