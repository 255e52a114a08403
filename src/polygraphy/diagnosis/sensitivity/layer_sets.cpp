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
  runner_ = factory.make(engine, {.model = &model_.model}, log);
  runner_->activate();
  const std::vector<bool> none(weights_.size(), false);
  try {
    for (size_t i = 0; i < samples_.size(); ++i) reference_.add(without_segments(run(none, i)));
  } catch (...) {
    runner_->deactivate();
    throw;
  }
}

LayerSets::~LayerSets() {
  if (runner_->active()) runner_->deactivate();
}

ArrayMap LayerSets::without_segments(ArrayMap outputs) {
  ValueMap& known = known_.emplace_back();
  ArrayMap rest;
  for (const Segment& segment : segments_.segments) {
    for (const Segment::Result& result : segment.results)
      known.set(result.given, Value(*outputs.find(result.output)));
  }
  for (const auto& [name, array] : outputs) {
    const bool is_result = std::ranges::any_of(segments_.segments, [&](const Segment& segment) {
      return std::ranges::any_of(segment.results,
                                 [&](const auto& result) { return result.output == name; });
    });
    if (!is_result) rest.set(name, array);
  }
  return rest;
}

ArrayMap LayerSets::run(const std::vector<bool>& quantized, size_t sample) {
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

OutputEffect LayerSets::effect(const std::vector<bool>& quantized) {
  ReferenceOutputs::Judgement judgement(reference_, true);
  for (size_t i = 0; i < samples_.size(); ++i) judgement.add(run(quantized, i));
  return judgement.effect();
}

bool LayerSets::passes(const std::vector<bool>& quantized, double limit) {
  ReferenceOutputs::Judgement judgement(reference_, false);
  for (size_t i = 0; i < samples_.size(); ++i) {
    judgement.add(run(quantized, i));
    if (!(judgement.effect().error <= limit)) return false;
  }
  return true;
}

}  // namespace polygraphy
