#include "polygraphy/diagnosis/locate/judging/tensor_accumulations.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/reduction_length.h"
#include "polygraphy/diagnosis/locate/judging/step_results.h"

namespace polygraphy {
namespace {

using graphsurgeon::Tensor;

std::optional<Shape> known_shape(const Tensor& tensor) {
  if (tensor.is_constant()) return tensor.payload()->shape();
  const auto dimensions = tensor.shape();
  if (!dimensions) return std::nullopt;
  Shape shape;
  for (const auto& dimension : *dimensions) {
    if (!dimension.has_value()) return std::nullopt;
    shape.push_back(dimension.value());
  }
  return shape;
}

}  // namespace

std::unordered_map<std::string, TensorAccumulation> tensor_accumulations(const WholeModel& model,
                                                                         const ValueMap& feed) {
  const graphsurgeon::Model sized = model.sized_for(feed);
  std::unordered_map<std::string, TensorAccumulation> accumulations;
  for (size_t position = 0; position < model.nodes().size(); ++position) {
    const graphsurgeon::Node& node = *sized.graph->nodes()[position];
    std::vector<std::optional<Shape>> shapes;
    for (const Tensor* input : node.inputs()) shapes.push_back(known_shape(*input));
    std::vector<const Shape*> inputs;
    for (const auto& shape : shapes) inputs.push_back(shape ? &*shape : nullptr);
    double longest = 1, least_exact = 1;
    bool floats = false;
    for (const Tensor* input : node.inputs())
      floats |= !input->is_constant() && is_floating(input->dtype());
    for (const std::string& name : model.nodes()[position].reads) {
      const auto read = accumulations.find(name);
      if (read == accumulations.end()) continue;
      longest = std::max(longest, read->second.in_place.sum_length);
      least_exact = std::max(least_exact, read->second.in_place.algorithm);
    }
    for (const Tensor* output : node.outputs()) {
      if (output->is_empty()) continue;
      const auto shape = known_shape(*output);
      const Accumulation own{
          .sum_length = shape ? reduction_length(node, inputs, *shape) : 1,
          .counts_floats = floats && is_integral(output->dtype()) && !reads_shapes_only(node),
          .algorithm = algorithm_error(node, inputs)};
      accumulations[std::string(output->name())] = {
          own,
          {.sum_length = std::max(longest, own.sum_length),
           .counts_floats = own.counts_floats,
           .algorithm = std::max(least_exact, own.algorithm),
           .in_noise = true}};
    }
  }
  return accumulations;
}

}  // namespace polygraphy
