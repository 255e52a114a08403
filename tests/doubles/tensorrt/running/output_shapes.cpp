#include "running/output_shapes.h"

#include "base/log.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/override_input_shapes.h"
#include "types.h"

namespace tensorrt_double {

nvinfer1::Dims output_shape(const Plan& plan, const std::string& tensor,
                            const std::map<std::string, nvinfer1::Dims>& inputs,
                            const std::map<std::string, polygraphy::Array>& values) {
  const auto bytes = std::as_bytes(std::span(plan.onnx.data(), plan.onnx.size()));
  // The bytes outlive the model.
  const std::shared_ptr<const void> kept(bytes.data(), [](const void*) {});
  graphsurgeon::Model model = graphsurgeon::load_model_from_bytes(bytes, kept, "the plan's model");
  std::vector<std::pair<graphsurgeon::TensorRef, graphsurgeon::DimList>> shapes;
  for (const auto& input : model.graph->inputs()) {
    const auto known = inputs.find(std::string(input->name()));
    if (known == inputs.end()) continue;
    graphsurgeon::DimList shape;
    for (int i = 0; i < known->second.nbDims; ++i) {
      const int64_t dim = known->second.d[i];
      shape.push_back(dim >= 0 ? graphsurgeon::Dim(dim) : graphsurgeon::Dim());
    }
    shapes.emplace_back(input, shape);
  }
  graphsurgeon::override_input_shapes(model, shapes);
  for (const auto& input : model.graph->inputs()) {
    const auto value = values.find(std::string(input->name()));
    if (value != values.end()) input->to_constant(value->second.clone());
  }
  polygraphy::Logger silent;
  graphsurgeon::infer_shapes(model, {}, silent);
  for (const auto& output : model.graph->outputs()) {
    if (output->name() == tensor) return to_dims(output->shape());
  }
  return to_dims(std::nullopt);
}

}  // namespace tensorrt_double
