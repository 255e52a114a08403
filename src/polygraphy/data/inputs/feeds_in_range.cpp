#include "polygraphy/data/inputs/feeds_in_range.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "polygraphy/data/inputs/wrapped_feeds.h"

namespace polygraphy {
namespace {

class FeedsInRange : public WrappedFeeds {
 public:
  FeedsInRange(std::unique_ptr<FeedSource> source, int64_t first, int64_t last)
      : WrappedFeeds(std::move(source)), first_(first), last_(last), next_(first) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    if (next_ > last_) return std::nullopt;
    std::optional<ValueMap> feed = generates() ? generated(inputs) : read(inputs);
    if (!feed) {
      throw Error(fmt::format("There is no sample {}: the inputs have {}", next_, next_),
                  "Choose samples that the inputs have.");
    }
    ++next_;
    return feed;
  }
  std::optional<int64_t> total() const override { return last_ - first_ + 1; }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    return WrappedFeeds::again(first_ + iteration, inputs);
  }

 private:
  // A source that generates knows its total.
  std::optional<ValueMap> generated(const Metadata& inputs) {
    if (next_ >= WrappedFeeds::total().value_or(0)) {
      next_ = WrappedFeeds::total().value_or(0);
      return std::nullopt;
    }
    return WrappedFeeds::again(next_, inputs);
  }

  std::optional<ValueMap> read(const Metadata& inputs) {
    for (; read_ < next_; ++read_) {
      if (WrappedFeeds::next(inputs)) continue;
      next_ = read_;
      return std::nullopt;
    }
    ++read_;
    return WrappedFeeds::next(inputs);
  }

  int64_t first_, last_;
  int64_t next_;      // by its number in the source
  int64_t read_ = 0;  // feeds that the source has given
};

}  // namespace

std::unique_ptr<FeedSource> feeds_in_range(std::unique_ptr<FeedSource> source, int64_t first,
                                           int64_t last) {
  return std::make_unique<FeedsInRange>(std::move(source), first, last);
}

}  // namespace polygraphy
