#include "polygraphy/diagnosis/locate/parts/run_borders.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"

namespace polygraphy {

Borders run_borders(const LocateRun& run, const WholeModel& part, const FusedFeeds& feeds,
                    const std::unordered_set<std::string>& names, Logger& log) {
  const ProgressPhase phase("without marked tensors");
  std::vector<std::string> outputs;
  std::ranges::copy_if(part.outputs(), std::back_inserter(outputs),
                       [&](const std::string& name) { return names.contains(name); });
  const auto values_of = [&](const LocateSide& side, const std::optional<RunnerMaker>& maker,
                             const std::vector<ValueMap>& inputs) {
    std::vector<ArrayMap> values(inputs.size());
    run_side(
        side, maker, part.with_outputs(outputs), outputs, inputs,
        [&](int64_t sample, ArrayMap tensors) {
          for (auto& [name, array] : tensors)
            values[static_cast<size_t>(sample)].set(name, std::move(array));
        },
        run.job.cancel, log);
    return values;
  };
  return {.names = names,
          .reference = values_of(run.job.reference, run.reference, feeds.reference),
          .target = values_of(run.job.target, run.target, feeds.target)};
}

}  // namespace polygraphy
