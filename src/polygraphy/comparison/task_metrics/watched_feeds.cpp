#include "polygraphy/comparison/task_metrics/watched_feeds.h"

#include <utility>

namespace polygraphy {
namespace {

class WatchedFeeds : public FeedSource {
 public:
  WatchedFeeds(std::unique_ptr<FeedSource> feeds, TaskMetricComparison& comparison)
      : feeds_(std::move(feeds)), comparison_(comparison) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = feeds_->next(inputs);
    if (feed) comparison_.saw(*feed);
    return feed;
  }
  std::string place() const override { return feeds_->place(); }
  std::optional<int64_t> total() const override { return feeds_->total(); }
  bool generates() const override { return feeds_->generates(); }
  std::vector<std::string> unmatched_shapes() const override { return feeds_->unmatched_shapes(); }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return feeds_->again(iteration, inputs);
  }

 private:
  std::unique_ptr<FeedSource> feeds_;
  TaskMetricComparison& comparison_;
};

}  // namespace

std::unique_ptr<FeedSource> watched_feeds(std::unique_ptr<FeedSource> feeds,
                                          TaskMetricComparison& comparison) {
  return std::make_unique<WatchedFeeds>(std::move(feeds), comparison);
}

}  // namespace polygraphy
