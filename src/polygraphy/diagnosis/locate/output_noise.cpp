#include "polygraphy/diagnosis/locate/output_noise.h"

#include <utility>

#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/measuring/noisy_runs.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"

namespace polygraphy {
namespace {

// Numbers near those of an input, in its type: as far off as rounding to it moves numbers.
Value moved_and_rounded(const ValueMap& feed, const std::string& name, int64_t seed,
                        int64_t evaluation) {
  const Array& given = feed.find(name)->tensor();
  const NumberFormat own = coarser(NumberFormat::kFloat32, given.dtype()).value();
  ValueMap wide;
  wide.set(name, in_type(given, DataType::kFloat32));
  const ValueMap moved = moved_feed(wide, own, seed, evaluation);
  // Other random numbers than those that moved them.
  return *rounded_feed(moved, own, seed + 1, evaluation, &feed).find(name);
}

}  // namespace

void OutputNoise::begin(ValueMap feed) {
  feed_ = {};
  for (const std::string& name : model_.inputs()) {
    if (Value* value = feed.find(name)) feed_.set(name, std::move(*value));
  }
  accumulations_.reset();
  exact_ = {};
  noises_.clear();
}

const std::unordered_map<std::string, TensorAccumulation>& OutputNoise::accumulations() const {
  if (!accumulations_) accumulations_ = tensor_accumulations(model_, feed_);
  return *accumulations_;
}

void OutputNoise::find(NumberFormat format, const std::vector<std::string>& names) {
  noises_.clear();
  exact_ = {};
  if (settings_.runs < 1) {
    for (const std::string& name : names) noises_[name] = {};
  }
  if (names.empty() || settings_.runs < 1) return;
  // The results may be wrong, and no measure of noise.
  exact_ = std::move(
      outputs_of(
          runner_, model_.with_outputs(names), 1, [&](int64_t) { return feed_; }, settings_.cancel)
          .front());
  noises_ = evaluate(format, names, settings_.runs, 1);
}

bool OutputNoise::take(const std::vector<std::string>& names,
                       const std::function<const ExactWithNoise*(const std::string&)>& known) {
  noises_.clear();
  exact_ = {};
  bool all = true;
  for (const std::string& name : names) {
    const ExactWithNoise* one = known(name);
    all &= one != nullptr;
    if (!one) continue;
    exact_.set(name, one->exact);
    noises_[name] = one->noise;
  }
  return all;
}

Noises OutputNoise::evaluate(NumberFormat format, const std::vector<std::string>& names,
                             int64_t runs, double factor) const {
  Noises noises;
  NoiseOptions options{.format = format, .seed = settings_.seed};
  for (const auto& [name, accumulation] : accumulations())
    options.factors[name] = factor * error_of_sums(accumulation.own);
  options.quantization = settings_.quantization;
  options.dynamic_steps = settings_.dynamic_steps;
  options.caches = settings_.caches;
  run_noisy(
      runner_, model_.marked(names), options, 1, runs,
      [&](int64_t, int64_t time) {
        ValueMap feed = rounded_feed(feed_, format, settings_.seed, time);
        for (const std::string& name : settings_.rounded_inputs)
          feed.set(name, moved_and_rounded(feed_, name, settings_.seed, time));
        return feed;
      },
      [&](int64_t, int64_t, const ArrayMap& outputs) {
        for (const auto& [name, array] : outputs) {
          if (const Array* value = exact_.find(name))
            add_noise(noises[name], *value, array, format);
        }
      },
      settings_.cancel);
  return noises;
}

}  // namespace polygraphy
