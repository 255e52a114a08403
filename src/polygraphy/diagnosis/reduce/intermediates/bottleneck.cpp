#include "polygraphy/diagnosis/reduce/intermediates/bottleneck.h"

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Between any two nodes in their order: the tensors that have been computed from the inputs and are
// read later on. A bottleneck is the only such tensor.
TensorRef bottleneck_of(const Model& model) {
  const UsedTensors used(model);
  std::unordered_map<const Tensor*, size_t> readers;
  for (const NodeRef& node : model.graph->nodes()) {
    used.of(*node, [&](const Tensor& tensor) { ++readers[&tensor]; });
  }
  std::unordered_set<const Tensor*> outputs;
  for (const TensorRef& output : model.graph->outputs()) outputs.insert(output.get());

  std::unordered_set<Tensor*> alive;  // of what depends on the inputs
  for (const TensorRef& input : model.graph->inputs()) {
    if (!input->is_constant() && readers.contains(input.get())) alive.insert(input.get());
  }
  Tensor* bottleneck = nullptr;
  bool output_seen = false;
  std::unordered_set<const Tensor*> varying(alive.begin(), alive.end());
  for (const NodeRef& node : model.graph->nodes()) {
    bool varies = false;
    used.of(*node, [&](Tensor& tensor) {
      varies = varies || varying.contains(&tensor);
      if (--readers[&tensor] == 0) alive.erase(&tensor);
    });
    for (Tensor* made : node->outputs()) {
      if (!varies || made->is_empty()) continue;
      varying.insert(made);
      output_seen = output_seen || outputs.contains(made);
      if (readers.contains(made)) alive.insert(made);
    }
    if (output_seen) break;
    if (alive.size() == 1 && (*alive.begin())->producer()) bottleneck = *alive.begin();
  }
  return TensorRef(bottleneck);
}

}  // namespace polygraphy
