#include "polygraphy/diagnosis/sensitivity/layer_sets.h"

#include <algorithm>
#include <utility>

namespace polygraphy {
namespace {

// Nodes that skip cost a session and each of its runs more than small products take.
bool pays_to_skip(const std::vector<Site>& sites) {
  constexpr int64_t kLeast = int64_t{1} << 20;
  int64_t elements = 0;
  for (const Site& site : sites) elements += site.original.size();
  return elements >= kLeast;
}

}  // namespace

void set_ranges(OverridableModel& model, const std::map<std::string, ActivationRange>& ranges) {
  graphsurgeon::Graph& graph = *model.model.graph;
  std::map<std::string, Array> values;
  for (const RangeInputs& inputs : model.ranges) {
    const auto found = ranges.find(inputs.tensor);
    const ActivationRange range = found == ranges.end() ? ActivationRange() : found->second;
    values.emplace(inputs.scale, Array::of<float>({}, {range.scale}));
    values.emplace(inputs.zero_point, Array::of<int8_t>({}, {range.zero_point}));
  }
  std::erase_if(graph.mutable_inputs(), [&](const graphsurgeon::TensorRef& input) {
    const auto value = values.find(std::string(input->name()));
    if (value == values.end()) return false;
    input->to_constant(value->second);
    graph.mutable_initializers().push_back(input);
    return true;
  });
}

void set_layers(const OverridableModel& model, const std::vector<Site>& sites,
                const std::vector<bool>& quantized, ValueMap& feed) {
  for (size_t i = 0; i < quantized.size(); ++i) {
    const SiteInputs& inputs = model.sites[i];
    feed.set(inputs.weight, Value(quantized[i] ? sites[i].rounded : sites[i].original));
    if (!inputs.quantizes.empty())
      feed.set(inputs.quantizes,
               Value(Array::of<bool>({}, {quantized[i] && sites[i].rounds_input})));
  }
}

LayerSets::LayerSets(OverridableModel model, const std::vector<Site>& sites,
                     const std::map<std::string, ActivationRange>& ranges,
                     const std::vector<ValueMap>& samples, const RunnerSpec& engine,
                     RunnerFactory& factory, const CancelToken& cancel, Logger& log)
    : model_(std::move(model)), sites_(sites), samples_(samples), cancel_(cancel) {
  set_ranges(model_, ranges);
  segments_ =
      pays_to_skip(sites) ? make_skippable(model_) : SkippableModel{.segments = {}, .first = {}};
  for (const Segment& segment : segments_.segments) {
    for (const Segment::Result& result : segment.results) results_.insert(result.output);
  }
  runner_ = factory.make(engine, {.model = &model_.model}, log);
  active_.emplace(*runner_);
  const std::vector<bool> none(sites_.size(), false);
  for (size_t i = 0; i < samples_.size(); ++i) {
    const ArrayMap outputs = run_all(none, i);
    keep_segments(outputs);
    reference_.push_back(without_segments(outputs));
  }
}

ArrayMap LayerSets::without_segments(const ArrayMap& outputs) const {
  ArrayMap rest;
  for (const auto& [name, array] : outputs) {
    if (!results_.contains(name)) rest.set(name, array);
  }
  return rest;
}

void LayerSets::keep_segments(const ArrayMap& outputs) {
  ValueMap& known = known_.emplace_back();
  for (const Segment& segment : segments_.segments) {
    for (const Segment::Result& result : segment.results)
      known.set(result.given, Value(*outputs.find(result.output)));
  }
}

ArrayMap LayerSets::run(const std::vector<bool>& quantized, size_t sample) {
  return without_segments(run_all(quantized, sample));
}

ArrayMap LayerSets::run_all(const std::vector<bool>& quantized, size_t sample) {
  cancel_.check();
  ++runs_;
  ValueMap feed = samples_[sample];
  const bool is_known = sample < known_.size();
  size_t first = segments_.segments.size();
  for (size_t i = 0; i < quantized.size(); ++i) {
    if (quantized[i] && first > 0) first = std::min(first, segments_.first[i]);
  }
  for (size_t i = 0; i < segments_.segments.size(); ++i) {
    const Segment& segment = segments_.segments[i];
    feed.set(segment.skip, Value(Array::of<bool>({}, {is_known && i < first})));
    for (const Segment::Result& result : segment.results) {
      feed.set(result.given, is_known ? *known_[sample].find(result.given)
                                      : Value(Array::zeros(result.dtype, Shape(result.rank, 1))));
    }
  }
  set_layers(model_, sites_, quantized, feed);
  return tensors_of(runner_->infer(feed));
}

}  // namespace polygraphy
