#include "polygraphy/diagnosis/locate/locate_samples.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "polygraphy/data/inputs/adapt_feed.h"

namespace polygraphy {
namespace {

// The fewest samples that a side has, and the most, of saved results.
std::pair<int64_t, int64_t> saved_samples(const LocateJob& job) {
  int64_t fewest = std::numeric_limits<int64_t>::max(), most = 0;
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (!saved) continue;
    const int64_t samples = std::ssize(saved->results->runners[saved->runner].second);
    fewest = std::min(fewest, samples);
    most = std::max(most, samples);
  }
  return {fewest, most};
}

}  // namespace

LocateSamples locate_samples(const LocateJob& job, const WholeModel& model, Logger& log) {
  const Metadata& inputs = model.given_inputs();
  LocateSamples samples{.feeds = {}, .left = false};
  std::vector<ValueMap>& feeds = samples.feeds;
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  // Saved results have as many samples as they have.
  const auto [fewest, most] = saved_samples(job);
  while (auto feed = source->next(inputs)) {
    if (std::ssize(feeds) == fewest) {
      samples.left = true;
      break;
    }
    feeds.push_back(adapt_feed(*feed, inputs, log));
    job.cancel.check();
  }
  samples.left |= most > std::ssize(feeds);
  if (feeds.empty()) throw Error(kNothingToLocate, "No sample to run the model on");
  return samples;
}

}  // namespace polygraphy
