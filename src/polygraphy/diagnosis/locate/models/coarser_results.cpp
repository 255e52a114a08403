#include "polygraphy/diagnosis/locate/models/coarser_results.h"

#include "base/log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/diagnosis/locate/pair_format.h"

namespace polygraphy {
namespace {

// Of floating-point results.
std::unordered_map<std::string, NumberFormat> formats_of(const graphsurgeon::Model& model) {
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

}  // namespace

std::optional<NumberFormat> coarser_results(
    const graphsurgeon::Model& reference, const graphsurgeon::Model& model,
    const std::unordered_map<std::string, std::string>& partners) {
  const auto there = formats_of(reference), here = formats_of(model);
  std::optional<NumberFormat> coarsest;
  for (const auto& [tensor, partner] : partners) {
    const auto one = there.find(partner), other = here.find(tensor);
    if (one == there.end() || other == here.end()) continue;
    if (significant_digits(one->second) < significant_digits(other->second))
      coarsest = pair_format(coarsest, one->second);
  }
  return coarsest;
}

}  // namespace polygraphy
