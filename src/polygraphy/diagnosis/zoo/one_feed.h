// A source of one feed.
#pragma once

#include <optional>
#include <utility>

#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

class OneFeed : public FeedSource {
 public:
  explicit OneFeed(ValueMap feed) : feed_(std::move(feed)) {}
  std::optional<ValueMap> next(const Metadata&) override { return std::exchange(feed_, {}); }

 private:
  std::optional<ValueMap> feed_;
};

}  // namespace polygraphy
