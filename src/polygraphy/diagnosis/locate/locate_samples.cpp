#include "polygraphy/diagnosis/locate/locate_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/inputs/data_loader_errors.h"

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

std::string hint_with_model(const Error& error, const LocateJob& job) {
  return fmt::format("{}{}The inputs are made for '{}'.", error.hint(),
                     error.hint().empty() ? "" : "\n", job.reference_model->path);
}

// `from`: null, or the model that feeds are made for.
std::optional<ValueMap> next_feed(FeedSource& source, const ReferenceModel* from,
                                  const Metadata& inputs, Logger& log) {
  auto feed = source.next(inputs);
  if (feed && from) feed = from->own_names(*feed);
  return feed ? std::optional(adapt_feed(*feed, inputs, log)) : std::nullopt;
}

}  // namespace

LocateSamples locate_samples(const LocateRun& run, const WholeModel& model, Logger& log) {
  const LocateJob& job = run.job;
  const ReferenceModel* from = run.reference_model ? &*run.reference_model : nullptr;
  const Metadata& inputs = from ? from->inputs() : model.given_inputs();
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  LocateSamples samples{.feeds = {}, .left = false, .generated = source->generates()};
  std::vector<ValueMap>& feeds = samples.feeds;
  // Saved results have as many samples as they have.
  const auto [fewest, most] = saved_samples(job);
  const auto next = [&] {
    try {
      return next_feed(*source, from, inputs, log);
    } catch (const InputError& error) {
      if (!from) throw;
      throw Error(error.code(), error.what(), hint_with_model(error, job));
    } catch (const FeedError& error) {
      if (!from) throw;
      throw Error(error.what(), hint_with_model(error, job));
    }
  };
  while (auto feed = next()) {
    if (std::ssize(feeds) == fewest) {
      samples.left = true;
      break;
    }
    feeds.push_back(std::move(*feed));
    job.cancel.check();
  }
  samples.left |= most > std::ssize(feeds);
  if (feeds.empty()) throw Error(kNothingToLocate, "No sample to run the model on");
  return samples;
}

}  // namespace polygraphy
