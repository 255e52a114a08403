#include "polygraphy/diagnosis/locate/measuring/side_runs.h"

#include <fmt/format.h>

#include <exception>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {

namespace {

// An engine may take few outputs of a model: halves of them are run one after the other. Throws the
// failure of the whole if single outputs fail, too.
void run_marked(const RunnerMaker& maker, const ModelSource& source,
                const std::vector<ValueMap>& feeds, const TakeTensors& take,
                const CancelToken& cancel, Logger& log) {
  try {
    return run_samples(
        maker, source, static_cast<int64_t>(feeds.size()), 1,
        [&](int64_t sample, int64_t) { return feeds[static_cast<size_t>(sample)]; },
        [&](int64_t sample, int64_t, ArrayMap outputs) { take(sample, std::move(outputs)); },
        cancel);
  } catch (const RunnerFailure& failure) {
    if (source.outputs.size() < 2) throw;
    const std::exception_ptr of_whole = std::current_exception();
    const auto middle = source.outputs.begin() + static_cast<ptrdiff_t>(source.outputs.size() / 2);
    ModelSource half = source;
    half.outputs = {source.outputs.begin(), middle};
    try {
      run_marked(maker, half, feeds, take, cancel, log);
    } catch (const RunnerFailure&) {
      std::rethrow_exception(of_whole);
    }
    log.verbose(log_modules::kLocate,
                fmt::format("{} cannot run with {} outputs; running it with halves of them: {}",
                            maker.spec.name, source.outputs.size(), failure.what()));
    half.outputs = {middle, source.outputs.end()};
    run_marked(maker, half, feeds, take, cancel, log);
  }
}

}  // namespace

void run_side(const LocateSide& side, const std::optional<RunnerMaker>& maker,
              const ModelSource& source, const std::vector<std::string>& names,
              const std::vector<ValueMap>& feeds, const TakeTensors& take,
              const CancelToken& cancel, Logger& log) {
  const auto samples = static_cast<int64_t>(feeds.size());
  if (maker) return run_marked(*maker, source, feeds, take, cancel, log);
  for (int64_t sample = 0; sample < samples; ++sample) {
    auto saved = saved_tensors(std::get<SavedSide>(side), sample);
    if (!saved) continue;
    ArrayMap wanted;
    const std::unordered_set<std::string_view> asked(names.begin(), names.end());
    for (auto& [name, array] : *saved) {
      const auto item = item_of_array(name);
      if (asked.contains(name) || (item && asked.contains(item->sequence)))
        wanted.set(name, std::move(array));
    }
    take(sample, std::move(wanted));
  }
}

void run_reference_side(const LocateRun& run, const WholeModel& model,
                        const std::vector<std::string>& names, const std::vector<ValueMap>& feeds,
                        const TakeTensors& take, Logger& log) {
  const LocateJob& job = run.job;
  if (!run.reference_model) {
    return run_side(job.reference, run.reference, model.with_outputs(names), names, feeds, take,
                    job.cancel, log);
  }
  const std::vector<std::string> known = run.reference_model->known(names);
  if (known.empty()) return;
  run_side(
      job.reference, run.reference, run.reference_model->with_outputs(known), known,
      run.reference_feeds,
      [&](int64_t sample, const ArrayMap& tensors) {
        take(sample, run.reference_model->renamed(tensors));
      },
      job.cancel, log);
}

}  // namespace polygraphy
