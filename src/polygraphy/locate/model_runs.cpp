#include "polygraphy/locate/model_runs.h"

#include <algorithm>
#include <utility>

namespace polygraphy {

namespace {

// What nothing reads any more, since it is known from a shape, is no input of some runtimes.
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

void run_samples(const MakeRunner& make, const ModelSource& source, int64_t samples, int64_t times,
                 const std::function<ValueMap(int64_t, int64_t)>& feed,
                 const std::function<void(int64_t, int64_t, ArrayMap)>& take, CancelToken cancel) {
  const std::shared_ptr<Runner> runner = make(source);
  const ActiveRunner active(*runner);
  for (int64_t sample = 0; sample < samples; ++sample) {
    for (int64_t time = 0; time < times; ++time) {
      cancel.check();
      take(sample, time, tensors_of(runner->infer(wanted(*runner, feed(sample, time)))));
    }
  }
}

}  // namespace polygraphy
