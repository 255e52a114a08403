#include "polygraphy/locate/model_runs.h"

#include <utility>

namespace polygraphy {

void run_samples(const MakeRunner& make, const ModelSource& source, int64_t samples, int64_t times,
                 const std::function<ValueMap(int64_t, int64_t)>& feed,
                 const std::function<void(int64_t, int64_t, ArrayMap)>& take, CancelToken cancel) {
  const std::shared_ptr<Runner> runner = make(source);
  const ActiveRunner active(*runner);
  for (int64_t sample = 0; sample < samples; ++sample) {
    for (int64_t time = 0; time < times; ++time) {
      cancel.check();
      take(sample, time, tensors_of(runner->infer(feed(sample, time))));
    }
  }
}

}  // namespace polygraphy
