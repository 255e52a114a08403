// Feeds of another source, with its place, number and other properties.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

class WrappedFeeds : public FeedSource {
 public:
  explicit WrappedFeeds(std::unique_ptr<FeedSource> feeds) : feeds_(std::move(feeds)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override { return feeds_->next(inputs); }
  std::string place() const override { return feeds_->place(); }
  std::optional<int64_t> total() const override { return feeds_->total(); }
  bool generates() const override { return feeds_->generates(); }
  std::vector<std::string> unmatched_shapes() const override { return feeds_->unmatched_shapes(); }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return feeds_->again(iteration, inputs);
  }

 private:
  const std::unique_ptr<FeedSource> feeds_;
};

}  // namespace polygraphy
