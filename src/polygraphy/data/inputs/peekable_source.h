// A source of feeds whose first feed can be looked at before the run.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

// peek() takes nothing away: next() still returns every feed, and reads the source once. A feed
// that the source generates is generated again for the inputs that next() is given.
class PeekableSource : public FeedSource {
 public:
  explicit PeekableSource(std::unique_ptr<FeedSource> feeds) : feeds_(std::move(feeds)) {}

  // The first feed, before next() is called; nullopt without feeds.
  std::optional<ValueMap> peek(const Metadata& inputs);

  std::optional<ValueMap> next(const Metadata& inputs) override;
  std::string place() const override { return feeds_->place(); }
  std::optional<int64_t> total() const override { return feeds_->total(); }
  bool generates() const override { return feeds_->generates(); }
  std::vector<std::string> unmatched_shapes() const override { return feeds_->unmatched_shapes(); }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return feeds_->again(iteration, inputs);
  }

 private:
  std::unique_ptr<FeedSource> feeds_;
  bool peeked_ = false;
  std::optional<ValueMap> first_;  // where peeked_
};

}  // namespace polygraphy
