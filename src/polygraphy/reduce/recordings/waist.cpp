#include "polygraphy/reduce/recordings/waist.h"

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "polygraphy/reduce/candidates/reads.h"

namespace polygraphy {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Between any two nodes in their order: what has been computed from the inputs and is read later
// on. A waist is all of that, alone.
TensorRef waist_of(const Model& model) {
  const Reads reads(model);
  std::unordered_map<const Tensor*, size_t> readers;
  for (const NodeRef& node : model.graph->nodes()) {
    reads.of(*node, [&](const Tensor& tensor) { ++readers[&tensor]; });
  }
  std::unordered_set<const Tensor*> outputs;
  for (const TensorRef& output : model.graph->outputs()) outputs.insert(output.get());

  std::unordered_set<Tensor*> alive;  // of what depends on the inputs
  for (const TensorRef& input : model.graph->inputs()) {
    if (!input->is_constant() && readers.contains(input.get())) alive.insert(input.get());
  }
  Tensor* waist = nullptr;
  bool output_seen = false;
  std::unordered_set<const Tensor*> varying(alive.begin(), alive.end());
  for (const NodeRef& node : model.graph->nodes()) {
    bool varies = false;
    reads.of(*node, [&](Tensor& tensor) {
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
    if (alive.size() == 1 && (*alive.begin())->producer()) waist = *alive.begin();
  }
  return TensorRef(waist);
}

}  // namespace polygraphy
