#include "polygraphy/diagnosis/sensitivity/local_errors.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {

LayerInputs::LayerInputs(const graphsurgeon::Model& model, const std::vector<Site>& sites,
                         const RunnerSpec& engine, RunnerFactory& factory, Logger& log)
    : marked_(graphsurgeon::copy(model)) {
  std::set<std::string> names;
  // A bias may be computed, too.
  for (const Site& site : sites) {
    for (const SiteNode& node : site.nodes) {
      for (const graphsurgeon::Tensor* input : model.graph->nodes()[node.position]->inputs()) {
        const std::string name(input->name());
        if (!input->is_constant() && !name.empty() && names.insert(name).second)
          tensors_.push_back(name);
      }
    }
  }
  auto& outputs = marked_.graph->mutable_outputs();
  const auto tensors = marked_.graph->tensor_map();
  for (const std::string& name : tensors_) {
    graphsurgeon::Tensor* tensor = tensors.at(name);
    const bool is_output =
        std::ranges::any_of(outputs, [&](const auto& output) { return output.get() == tensor; });
    if (tensor->producer() && !is_output) outputs.emplace_back(tensor);
  }
  runner_ = factory.make(engine, {.model = &marked_}, log);
  active_.emplace(*runner_);
}

const ArrayMap& LayerInputs::of(const ValueMap& sample) {
  if (last_ == &sample) return values_;
  const ValueMap outputs = runner_->infer(sample);
  values_.clear();
  for (const std::string& name : tensors_) {
    const Value* value = outputs.find(name);
    if (!value) value = sample.find(name);
    if (value && value->as_tensor()) values_.set(name, value->tensor());
  }
  last_ = &sample;
  return values_;
}

std::map<std::string, ActivationRange> activation_ranges(LayerInputs& inputs,
                                                         const std::vector<ValueMap>& samples,
                                                         const CancelToken& cancel) {
  std::map<std::string, std::pair<float, float>> extents;  // with 0
  for (const ValueMap& sample : samples) {
    cancel.check();
    for (const auto& [name, array] : inputs.of(sample)) {
      if (array.dtype() != DataType::kFloat32) continue;
      float smallest = 0, largest = 0;
      const Array values = array.contiguous_aligned();
      for (const float value : values.as<float>()) {
        if (!std::isfinite(value)) continue;
        smallest = std::min(smallest, value);
        largest = std::max(largest, value);
      }
      auto& extent = extents[name];
      extent = {std::min(extent.first, smallest), std::max(extent.second, largest)};
    }
  }
  std::map<std::string, ActivationRange> ranges;
  for (const auto& [name, extent] : extents)
    ranges.emplace(name, activation_range(extent.first, extent.second));
  return ranges;
}

std::vector<ErrorSums> local_errors(const OverridableModel& model, const std::vector<Site>& sites,
                                    const std::map<std::string, ActivationRange>& ranges,
                                    LayerInputs& inputs, const std::vector<ValueMap>& samples,
                                    const RunnerSpec& engine, RunnerFactory& factory,
                                    const CancelToken& cancel, Logger& log) {
  std::map<size_t, std::vector<size_t>> places;  // of nodes: their sites
  std::set<std::string> activations;
  std::set<size_t> weights_of_nodes;  // as Site::part counts them
  for (size_t i = 0; i < sites.size(); ++i) {
    weights_of_nodes.insert(sites[i].part);
    for (const SiteNode& node : sites[i].nodes) {
      places[node.position].push_back(i);
      activations.insert(node.activation);
    }
  }
  std::vector<NodePart> parts;
  std::vector<std::vector<size_t>> sites_of;  // of parts
  for (const auto& [position, of] : places) {
    parts.push_back({position});
    sites_of.push_back(of);
  }
  ExplodedModel alone = explode(model.model, parts, [](const std::string&) { return nullptr; });
  ArrayMap values = inputs.of(samples.front());
  for (const auto& input : alone.model.graph->inputs()) {
    const Array* value = values.find(std::string(input->name()));
    if (!value) continue;
    input->set_dtype(value->dtype());
    input->set_shape(std::nullopt);
  }
  const auto runner = factory.make(engine, {.model = &alone.model}, log);
  const ActiveRunner active(*runner);
  std::vector<ErrorSums> sums(sites.size());
  for (size_t s = 0; s < samples.size(); ++s) {
    cancel.check();
    if (s > 0) values = inputs.of(samples[s]);
    ValueMap original;
    for (const auto& [name, array] : values) original.set(name, Value(array));
    for (size_t i = 0; i < sites.size(); ++i)
      original.set(model.sites[i].weight, Value(sites[i].original));
    const ArrayMap expected = tensors_of(runner->infer(original));
    // A run for each weight that a node has: the others stay as they are.
    for (const size_t which : weights_of_nodes) {
      ValueMap rounded = original;
      for (const auto& [name, array] : values) {
        const auto range = activations.contains(name) ? ranges.find(name) : ranges.end();
        if (which == 0 && range != ranges.end())
          rounded.set(name, Value(range->second.rounded(array)));
      }
      for (size_t i = 0; i < sites.size(); ++i) {
        if (sites[i].part == which) rounded.set(model.sites[i].weight, Value(sites[i].rounded));
      }
      const ArrayMap observed = tensors_of(runner->infer(rounded));
      for (const ExplodedOutput& output : alone.outputs) {
        const Array *one = expected.find(output.name), *other = observed.find(output.name);
        if (!one || !other) continue;
        for (const size_t site : sites_of[output.part]) {
          if (sites[site].part == which) add_error(*one, *other, sums[site]);
        }
      }
    }
  }
  return sums;
}

}  // namespace polygraphy
