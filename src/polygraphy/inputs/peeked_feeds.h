// Feeds whose first one somebody wants to see before the runners do.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "polygraphy/inputs/feed_source.h"

namespace polygraphy {

// Takes nothing from those who read it after peek(): the source is opened, and each of its feeds
// taken, once. What it generates is made anew for the inputs it is then asked for.
class PeekedFeeds : public FeedSource {
 public:
  explicit PeekedFeeds(std::unique_ptr<FeedSource> feeds) : feeds_(std::move(feeds)) {}

  // The first feed, before next() is called; nullopt when there is none.
  std::optional<TensorMap> peek(const Metadata& inputs);

  std::optional<TensorMap> next(const Metadata& inputs) override;
  std::optional<int64_t> total() const override { return feeds_->total(); }
  bool generates() const override { return feeds_->generates(); }
  std::optional<TensorMap> again(int64_t iteration, const Metadata& inputs) override {
    return feeds_->again(iteration, inputs);
  }

 private:
  std::unique_ptr<FeedSource> feeds_;
  bool peeked_ = false;
  std::optional<TensorMap> first_;  // where peeked_
};

}  // namespace polygraphy
