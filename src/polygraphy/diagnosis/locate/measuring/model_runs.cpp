#include "polygraphy/diagnosis/locate/measuring/model_runs.h"

#include <algorithm>
#include <utility>

#include "base/fingerprint.h"
#include "base/progress.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"
#include "polygraphy/models/noise/rounding.h"

namespace polygraphy {

namespace {

// Of each input and evaluation.
uint64_t seed_of(const std::string& input, int64_t seed, int64_t evaluation) {
  return fingerprint(input).low + static_cast<uint64_t>(seed * 1000003 + evaluation);
}

// Some runtimes drop inputs that are unused because their values follow from a shape.
ValueMap wanted(Runner& runner, ValueMap feed) {
  const Metadata& inputs = runner.input_metadata();
  const bool all = std::all_of(feed.begin(), feed.end(),
                               [&](const auto& one) { return inputs.contains(one.first); });
  if (all) return feed;
  ValueMap wanted;
  for (auto& [name, value] : feed) {
    if (inputs.contains(name)) wanted.set(name, std::move(value));
  }
  return wanted;
}

}  // namespace

void run_samples(const RunnerMaker& maker, const ModelSource& source, int64_t samples,
                 int64_t times, const std::function<ValueMap(int64_t, int64_t)>& feed,
                 const std::function<void(int64_t, int64_t, ArrayMap)>& take, CancelToken cancel) {
  const std::shared_ptr<Runner> runner = maker.make(source);
  const ActiveRunner active(*runner);
  ProgressPhase phase("run", samples * times);
  for (int64_t sample = 0; sample < samples; ++sample) {
    for (int64_t time = 0; time < times; ++time) {
      cancel.check();
      take(sample, time, flatten(runner->infer(wanted(*runner, feed(sample, time)))));
      phase.step();
    }
  }
}

std::vector<ArrayMap> outputs_of(const RunnerMaker& maker, const ModelSource& source,
                                 int64_t samples, const std::function<ValueMap(int64_t)>& feed,
                                 CancelToken cancel) {
  std::vector<ArrayMap> all;
  run_samples(
      maker, source, samples, 1, [&](int64_t sample, int64_t) { return feed(sample); },
      [&](int64_t, int64_t, ArrayMap outputs) { all.push_back(std::move(outputs)); }, cancel);
  return all;
}

std::vector<ArrayMap> outputs_of(const RunnerMaker& maker, const ModelSource& source,
                                 const std::vector<ValueMap>& feeds, CancelToken cancel) {
  return outputs_of(
      maker, source, static_cast<int64_t>(feeds.size()),
      [&](int64_t sample) { return feeds[static_cast<size_t>(sample)]; }, std::move(cancel));
}

ValueMap rounded_feed(const ValueMap& feed, NumberFormat format, int64_t seed, int64_t evaluation,
                      const ValueMap* as) {
  ValueMap rounded;
  for (const auto& [name, value] : feed) {
    const Array* array = value.as_tensor();
    const uint64_t own = seed_of(name, seed, evaluation);
    const Value* typed = as ? as->find(name) : nullptr;
    const Array* numbers = typed ? typed->as_tensor() : nullptr;
    if (array && numbers) {
      const NumberFormat coarse = coarser(format, numbers->dtype()).value_or(format);
      rounded.set(name, in_type(round_to(*array, coarse, own), numbers->dtype()));
    } else {
      rounded.set(name, array ? Value(round_to(*array, format, own)) : value);
    }
  }
  return rounded;
}

ValueMap moved_feed(const ValueMap& feed, NumberFormat format, int64_t seed, int64_t evaluation) {
  ValueMap moved;
  for (const auto& [name, value] : feed) {
    const Array* array = value.as_tensor();
    const uint64_t own = seed_of(name, seed, evaluation);
    moved.set(name, array ? Value(moved_within(*array, format, own)) : value);
  }
  return moved;
}

}  // namespace polygraphy
