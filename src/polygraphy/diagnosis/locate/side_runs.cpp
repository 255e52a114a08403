#include "polygraphy/diagnosis/locate/side_runs.h"

#include <utility>

namespace polygraphy {

void run_side(const LocateSide& side, const std::optional<RunnerMaker>& maker,
              const ModelSource& source, const std::vector<std::string>& names,
              const std::vector<ValueMap>& feeds,
              const std::function<void(int64_t sample, ArrayMap tensors)>& take,
              CancelToken cancel) {
  const auto samples = static_cast<int64_t>(feeds.size());
  if (maker) {
    return run_samples(
        *maker, source, samples, 1,
        [&](int64_t sample, int64_t) { return feeds[static_cast<size_t>(sample)]; },
        [&](int64_t sample, int64_t, ArrayMap outputs) { take(sample, std::move(outputs)); },
        std::move(cancel));
  }
  for (int64_t sample = 0; sample < samples; ++sample) {
    auto saved = saved_tensors(std::get<SavedSide>(side), sample);
    if (!saved) continue;
    ArrayMap wanted;
    for (const std::string& name : names) {
      if (Array* array = saved->find(name)) wanted.set(name, std::move(*array));
    }
    take(sample, std::move(wanted));
  }
}

}  // namespace polygraphy
