#include "polygraphy/models/parts/output_sizes.h"

#include "base/log.h"
#include "graphsurgeon/fold/byte_size.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

std::vector<OutputSize> output_sizes(graphsurgeon::Model& model, const ArrayMap& feed) {
  for (const auto& input : model.graph->inputs()) {
    const Array* values = feed.find(input->name());
    if (!values || input->is_constant()) continue;
    input->set_shape(info_of(*values).shape);
    input->set_dtype(values->dtype());
  }
  Logger quiet;
  graphsurgeon::infer_shapes(model, {}, quiet);
  std::vector<OutputSize> sizes;
  for (const auto& output : model.graph->outputs()) {
    const int64_t bytes = graphsurgeon::tensor_bytes(*output);
    sizes.push_back({std::string(output->name()),
                     bytes < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(bytes))});
  }
  return sizes;
}

}  // namespace polygraphy
