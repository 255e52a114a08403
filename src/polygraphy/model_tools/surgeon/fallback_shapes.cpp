#include "polygraphy/model_tools/surgeon/fallback_shapes.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "polygraphy/model_tools/surgeon/observe_shapes.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"

namespace polygraphy {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

std::vector<TensorRef> observable_tensors(const Model& model) {
  std::vector<TensorRef> tensors;
  std::unordered_set<const Tensor*> seen;
  const auto add = [&](Tensor* tensor) {
    if (!tensor->is_empty() && !tensor->is_constant() && seen.insert(tensor).second) {
      tensors.emplace_back(tensor);
    }
  };
  for (const TensorRef& input : model.graph->inputs()) add(input.get());
  for (const NodeRef& node : model.graph->nodes()) {
    for (Tensor* output : node->outputs()) add(output);
  }
  return tensors;
}

Metadata observe_shapes(const ObservedRun& run, const Model& model,
                        const std::vector<TensorRef>& tensors, Logger& log) {
  const auto feeds = run.feeds ? run.feeds(model, log) : generated_feeds({}, log);
  BundledRuntime runtime(run.plugins, log, run.cancel);
  return observe_shapes(runtime, model, tensors, *feeds, log);
}

size_t apply_shapes(Model& model, const Metadata& observed) {
  size_t changed = 0;
  for (const TensorRef& tensor : observable_tensors(model)) {
    const TensorInfo* info = observed.find(std::string(tensor->name()));
    if (!info || (tensor->dtype() == info->dtype && tensor->shape() == info->shape)) continue;
    if (tensor->dtype() != info->dtype) tensor->set_dtype(info->dtype);
    if (tensor->shape() != info->shape) tensor->set_shape(info->shape);
    ++changed;
  }
  return changed;
}

}  // namespace polygraphy
