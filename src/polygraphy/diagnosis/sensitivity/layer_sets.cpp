#include "polygraphy/diagnosis/sensitivity/layer_sets.h"

#include <algorithm>
#include <utility>

namespace polygraphy {

LayerSets::LayerSets(OverridableModel model, const std::vector<LayerWeights>& weights,
                     const std::map<std::string, ActivationRange>& ranges,
                     const std::vector<bool>& rounds_input, const std::vector<ValueMap>& samples,
                     const RunnerSpec& engine, RunnerFactory& factory, const CancelToken& cancel,
                     Logger& log)
    : model_(std::move(model)),
      weights_(weights),
      rounds_input_(rounds_input),
      samples_(samples),
      cancel_(cancel) {
  for (const RangeInputs& inputs : model_.ranges) {
    const auto found = ranges.find(inputs.tensor);
    const ActivationRange range = found == ranges.end() ? ActivationRange() : found->second;
    fixed_.set(inputs.scale, Value(Array::of<float>({}, {range.scale})));
    fixed_.set(inputs.zero_point, Value(Array::of<int8_t>({}, {range.zero_point})));
  }
  segments_ = make_skippable(model_);
  for (const Segment& segment : segments_.segments) {
    for (const Segment::Result& result : segment.results) results_.insert(result.output);
  }
  runner_ = factory.make(engine, {.model = &model_.model}, log);
  runner_->activate();
  const std::vector<bool> none(weights_.size(), false);
  try {
    for (size_t i = 0; i < samples_.size(); ++i) {
      const ArrayMap outputs = run_all(none, i);
      keep_segments(outputs);
      reference_.push_back(without_segments(outputs));
    }
  } catch (...) {
    runner_->deactivate();
    throw;
  }
}

LayerSets::~LayerSets() {
  if (runner_->active()) runner_->deactivate();
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
    if (quantized[i]) first = std::min(first, segments_.first[i]);
  }
  for (size_t i = 0; i < segments_.segments.size(); ++i) {
    const Segment& segment = segments_.segments[i];
    feed.set(segment.skip, Value(Array::of<bool>({}, {is_known && i < first})));
    for (const Segment::Result& result : segment.results) {
      feed.set(result.given, is_known ? *known_[sample].find(result.given)
                                      : Value(Array::zeros(result.dtype, Shape(result.rank, 1))));
    }
  }
  for (const auto& [name, value] : fixed_) feed.set(name, value);
  for (size_t i = 0; i < quantized.size(); ++i) {
    feed.set(model_.sites[i].weight,
             Value(quantized[i] ? weights_[i].rounded : weights_[i].original));
    if (!model_.sites[i].quantizes.empty())
      feed.set(model_.sites[i].quantizes,
               Value(Array::of<bool>({}, {quantized[i] && rounds_input_[i]})));
  }
  return tensors_of(runner_->infer(feed));
}

}  // namespace polygraphy
