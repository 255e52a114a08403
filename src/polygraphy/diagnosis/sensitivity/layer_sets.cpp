#include "polygraphy/diagnosis/sensitivity/layer_sets.h"

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
  runner_ = factory.make(engine, {.model = &model_.model}, log);
  runner_->activate();
  const std::vector<bool> none(weights_.size(), false);
  try {
    for (const ValueMap& sample : samples_) reference_.add(tensors_of(run(none, sample)));
  } catch (...) {
    runner_->deactivate();
    throw;
  }
}

LayerSets::~LayerSets() {
  if (runner_->active()) runner_->deactivate();
}

ValueMap LayerSets::run(const std::vector<bool>& quantized, const ValueMap& sample) {
  cancel_.check();
  ++runs_;
  ValueMap feed = sample;
  for (const auto& [name, value] : fixed_) feed.set(name, value);
  for (size_t i = 0; i < quantized.size(); ++i) {
    feed.set(model_.sites[i].weight,
             Value(quantized[i] ? weights_[i].rounded : weights_[i].original));
    if (!model_.sites[i].quantizes.empty())
      feed.set(model_.sites[i].quantizes,
               Value(Array::of<bool>({}, {quantized[i] && rounds_input_[i]})));
  }
  return runner_->infer(feed);
}

WorstError LayerSets::error(const std::vector<bool>& quantized, double limit) {
  ReferenceOutputs::Judgement judgement(reference_);
  for (const ValueMap& sample : samples_) {
    judgement.add(tensors_of(run(quantized, sample)));
    const WorstError worst = judgement.worst();
    if (!(worst.error <= limit)) return worst;
  }
  return judgement.worst();
}

}  // namespace polygraphy
