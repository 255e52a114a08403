#include "polygraphy/model_tools/inspect/inspect_sparsity.h"

#include <utility>

#include "graphsurgeon/passes/sparsity.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {

InspectedSparsity inspect_sparsity(const ModelSource& source, Logger& log) {
  InspectedSparsity result{std::move(*load_onnx(source, log)), {}};
  for (const auto& weight : graphsurgeon::check_sparsity(result.model, log)) {
    result.sparse.emplace_back(weight->name());
  }
  return result;
}

}  // namespace polygraphy
