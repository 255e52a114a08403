#include "polygraphy/diagnosis/locate/measuring/given_runs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/models/replaced_results.h"

namespace polygraphy {

ModelSource given_model(const WholeModel& model, const NodePart& positions, const ArrayMap& values,
                        const std::vector<std::string>& outputs) {
  const graphsurgeon::Model given = with_given_results(
      model.model(), positions, [&](const std::string& name) { return values.find(name); });
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
