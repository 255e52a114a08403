#include "graphsurgeon/onnx/shape_inference.h"

#include <string_view>
#include <utility>

#include "graphsurgeon/onnx/inference/type_inference.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kModule = "backend/onnx/loader.py";

}  // namespace

InferResult infer_shapes(Model& model, const InferOptions& options, polygraphy::Logger& logger) {
  logger.verbose(kModule, "Starting shape inference");
  TypeInference inference(model, opsets_of(model, logger),
                          {.follow_values = options.data_propagation});
  for (const NodeRef& node : model.graph->nodes()) inference.infer(*node);
  InferResult result{inference.changed(), std::move(inference.problems())};
  for (const std::string& problem : result.problems) {
    logger.extra_verbose(kModule, "Shape inference failed for " + problem);
  }
  logger.verbose(kModule, "Shape inference completed successfully");
  return result;
}

}  // namespace graphsurgeon
