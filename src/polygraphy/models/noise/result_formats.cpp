#include "polygraphy/models/noise/result_formats.h"

#include "base/log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {

std::unordered_map<std::string, NumberFormat> result_formats(const graphsurgeon::Model& model) {
  graphsurgeon::Model typed = graphsurgeon::copy(model);
  Logger quiet;
  graphsurgeon::infer_shapes(typed, {}, quiet);
  std::unordered_map<std::string, NumberFormat> formats;
  for (const auto& node : typed.graph->nodes()) {
    for (const graphsurgeon::Tensor* result : node->outputs()) {
      if (const auto format = coarser(NumberFormat::kFloat32, result->dtype()))
        formats.emplace(result->name(), *format);
    }
  }
  return formats;
}

}  // namespace polygraphy
