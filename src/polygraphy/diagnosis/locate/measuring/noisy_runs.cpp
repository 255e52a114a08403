#include "polygraphy/diagnosis/locate/measuring/noisy_runs.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "polygraphy/models/noise/moved_weights.h"

namespace polygraphy {
namespace {

// By name, if the feeds of all samples have the same.
std::unordered_map<std::string, Shape> shapes_of_inputs(
    int64_t samples, const std::function<ValueMap(int64_t, int64_t)>& feed) {
  std::unordered_map<std::string, Shape> shapes;
  for (int64_t sample = 0; sample < samples; ++sample) {
    const ValueMap values = feed(sample, 0);
    if (sample == 0) {
      for (const auto& [name, value] : values) {
        if (const Array* array = value.as_tensor()) shapes.emplace(name, array->shape());
      }
    }
    std::erase_if(shapes, [&](const auto& entry) {
      const Value* value = values.find(entry.first);
      const Array* array = value ? value->as_tensor() : nullptr;
      return !array || array->shape() != entry.second;
    });
  }
  return shapes;
}

}  // namespace

void run_noisy(const RunnerMaker& maker, const graphsurgeon::Model& model, NoiseOptions options,
               int64_t samples, int64_t times,
               const std::function<ValueMap(int64_t, int64_t)>& feed,
               const std::function<void(int64_t, int64_t, ArrayMap)>& take,
               const CancelToken& cancel) {
  if (options.sizes.empty()) options.input_shapes = shapes_of_inputs(samples, feed);
  if (!options.quantization) {
    const graphsurgeon::Model noisy = noisy_model(model, options);
    return run_samples(maker, {.path = "noisy model", .model = &noisy}, samples, times, feed, take,
                       cancel);
  }
  // Weights are constants: each evaluation has a separate model.
  for (int64_t time = 0; time < times; ++time) {
    const graphsurgeon::Model noisy = noisy_model(with_moved_weights(model, options.seed), options);
    run_samples(
        maker, {.path = "noisy model", .model = &noisy}, samples, 1,
        [&](int64_t sample, int64_t) { return feed(sample, time); },
        [&](int64_t sample, int64_t, ArrayMap outputs) { take(sample, time, std::move(outputs)); },
        cancel);
    ++options.seed;
  }
}

}  // namespace polygraphy
