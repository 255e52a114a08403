#include "graphsurgeon/onnx/shape_inference.h"

#include <string_view>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/onnx/inference/type_inference.h"

namespace graphsurgeon {

InferResult infer_shapes(Model& model, const InferOptions& options, polygraphy::Logger& logger) {
  logger.verbose(polygraphy::log_modules::kOnnxLoader, "Starting shape inference");
  TypeInference inference(model, opsets_of(model, logger),
                          {.follow_values = options.data_propagation});
  for (const NodeRef& node : model.graph->nodes()) inference.infer(*node);
  InferResult result{inference.changed(), std::move(inference.problems())};
  for (const std::string& problem : result.problems) {
    logger.extra_verbose(polygraphy::log_modules::kOnnxLoader,
                         "Shape inference failed for " + problem);
  }
  logger.verbose(polygraphy::log_modules::kOnnxLoader, "Shape inference completed successfully");
  return result;
}

}  // namespace graphsurgeon
