#include "polygraphy/comparison/task_metrics/watched_feeds.h"

#include <utility>

#include "polygraphy/data/inputs/wrapped_feeds.h"

namespace polygraphy {
namespace {

class WatchedFeeds : public WrappedFeeds {
 public:
  WatchedFeeds(std::unique_ptr<FeedSource> feeds, TaskMetricComparison& comparison)
      : WrappedFeeds(std::move(feeds)), comparison_(comparison) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = WrappedFeeds::next(inputs);
    if (feed) comparison_.saw(*feed);
    return feed;
  }

 private:
  TaskMetricComparison& comparison_;
};

}  // namespace

std::unique_ptr<FeedSource> watched_feeds(std::unique_ptr<FeedSource> feeds,
                                          TaskMetricComparison& comparison) {
  return std::make_unique<WatchedFeeds>(std::move(feeds), comparison);
}

}  // namespace polygraphy
