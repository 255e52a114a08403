#include "polygraphy/data/graph_metadata.h"

#include <string>

namespace polygraphy {

Metadata metadata_of_variables(const std::vector<graphsurgeon::TensorRef>& tensors) {
  Metadata metadata;
  for (const graphsurgeon::TensorRef& tensor : tensors) {
    if (tensor->is_constant()) continue;
    metadata.set(std::string(tensor->name()), {tensor->dtype(), tensor->shape(), {}});
  }
  return metadata;
}

}  // namespace polygraphy
