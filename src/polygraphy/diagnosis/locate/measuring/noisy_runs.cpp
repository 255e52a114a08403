#include "polygraphy/diagnosis/locate/measuring/noisy_runs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphsurgeon/ir/copy.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/noise/moved_weights.h"

namespace polygraphy {
namespace {

const Array* array_in(const ValueMap& feed, std::string_view name) {
  const Value* value = feed.find(name);
  return value ? value->as_tensor() : nullptr;
}

// Tensors with known shapes get noise faster: a copy with the shapes of inputs that all feeds have.
graphsurgeon::Model sized_for(const graphsurgeon::Model& model,
                              const std::vector<ValueMap>& feeds) {
  graphsurgeon::Model sized = graphsurgeon::copy(model);
  for (const graphsurgeon::TensorRef& input : sized.graph->inputs()) {
    const Array* first = input->is_constant() ? nullptr : array_in(feeds.front(), input->name());
    const auto has_shape = [&](const ValueMap& feed) {
      const Array* array = array_in(feed, input->name());
      return array && array->shape() == first->shape();
    };
    if (first && std::ranges::all_of(feeds, has_shape)) input->set_shape(info_of(*first).shape);
  }
  return sized;
}

}  // namespace

void run_noisy(const RunnerMaker& maker, const graphsurgeon::Model& given, NoiseOptions options,
               int64_t samples, int64_t times,
               const std::function<ValueMap(int64_t, int64_t)>& feed,
               const std::function<void(int64_t, int64_t, ArrayMap)>& take,
               const CancelToken& cancel) {
  std::vector<ValueMap> feeds;
  for (int64_t sample = 0; sample < samples; ++sample) feeds.push_back(feed(sample, 0));
  const graphsurgeon::Model model = sized_for(given, feeds);
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
