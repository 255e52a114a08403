// A source of feeds whose first feed can be looked at before the run.
#pragma once

#include <optional>

#include "polygraphy/data/inputs/wrapped_feeds.h"

namespace polygraphy {

// peek() takes nothing away: next() still returns every feed, and reads the source once. A feed
// that the source generates is generated again for the inputs that next() is given.
class PeekableSource : public WrappedFeeds {
 public:
  using WrappedFeeds::WrappedFeeds;

  // The first feed, before next() is called; nullopt without feeds.
  std::optional<ValueMap> peek(const Metadata& inputs);

  std::optional<ValueMap> next(const Metadata& inputs) override;

 private:
  bool peeked_ = false;
  std::optional<ValueMap> first_;  // where peeked_
};

}  // namespace polygraphy
