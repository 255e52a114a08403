#include "polygraphy/diagnosis/locate/measuring/given_runs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/candidates/prune_unused.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Of the tensor in every sample that has it: sizes that vary are open. nullopt: no sample has it.
std::optional<TensorInfo> common_info(const std::string& name,
                                      const std::vector<ArrayMap>& samples) {
  std::optional<TensorInfo> common;
  for (const ArrayMap& values : samples) {
    const Array* array = values.find(name);
    if (!array) continue;
    const TensorInfo info = info_of(*array);
    if (!common) {
      common = info;
    } else if (common->shape && common->shape->size() == info.shape->size()) {
      for (size_t i = 0; i < info.shape->size(); ++i) {
        if ((*common->shape)[i] != (*info.shape)[i]) (*common->shape)[i] = Dim();
      }
    } else {
      common->shape.reset();
    }
  }
  return common;
}

// A copy without the nodes at these positions of the main graph; their results become inputs of the
// same names, with the type and shape of `values`. Their results are removed from the model's
// outputs, and nodes that only they needed are removed. O(model + samples).
Model with_given_results(const Model& model, const NodePart& positions,
                         const std::vector<ArrayMap>& values) {
  Model made = graphsurgeon::copy(model);
  Graph& graph = *made.graph;
  std::vector<NodeRef> nodes = graph.nodes();
  std::unordered_set<const Tensor*> given;
  for (const size_t position : positions) {
    const NodeRef node = std::exchange(nodes[position], nullptr);
    for (const TensorRef& output : node->outputs().snapshot()) {
      if (output->is_empty()) continue;
      given.insert(output.get());
      if (const auto info = common_info(std::string(output->name()), values)) {
        output->set_dtype(info->dtype);
        output->set_shape(info->shape);
      }
      graph.mutable_inputs().push_back(output);
    }
    node->outputs().clear();
    node->inputs().clear();
  }
  std::erase_if(nodes, [](const NodeRef& node) { return !node; });
  graph.mutable_nodes() = std::move(nodes);
  std::erase_if(graph.mutable_outputs(),
                [&](const TensorRef& output) { return given.contains(output.get()); });
  std::erase_if(graph.mutable_value_infos(),
                [&](const TensorRef& tensor) { return given.contains(tensor.get()); });
  prune_unused(made);
  return made;
}

}  // namespace

ModelSource given_model(const WholeModel& model, const NodePart& positions,
                        const std::vector<ArrayMap>& values,
                        const std::vector<std::string>& outputs) {
  const Model given = with_given_results(model.model(), positions, values);
  std::unordered_set<std::string_view> left;
  for (const auto& node : given.graph->nodes()) {
    for (const auto* output : node->outputs()) left.insert(output->name());
  }
  ModelSource source = model.write(given);
  std::ranges::copy_if(outputs, std::back_inserter(source.outputs),
                       [&](const std::string& name) { return left.contains(name); });
  return source;
}

std::vector<ArrayMap> run_given(const RunnerMaker& maker, const ModelSource& source,
                                const std::vector<ValueMap>& feeds,
                                const std::vector<ArrayMap>& values, const CancelToken& cancel) {
  std::vector<ArrayMap> results;
  const std::shared_ptr<Runner> runner = maker.make(source);
  const ActiveRunner active(*runner);
  for (size_t sample = 0; sample < feeds.size(); ++sample) {
    cancel.check();
    ValueMap feed;
    for (const auto& [name, info] : runner->input_metadata()) {
      if (const Value* value = feeds[sample].find(name)) {
        feed.set(name, *value);
      } else if (const Array* array = values[sample].find(name)) {
        feed.set(name, *array);
      }
    }
    results.push_back(flatten(runner->infer(feed)));
  }
  return results;
}

}  // namespace polygraphy
