#include "polygraphy/data/inputs/peekable_source.h"

#include <utility>

namespace polygraphy {

std::optional<ValueMap> PeekableSource::peek(const Metadata& inputs) {
  if (!peeked_) first_ = WrappedFeeds::next(inputs);
  peeked_ = true;
  return first_;
}

std::optional<ValueMap> PeekableSource::next(const Metadata& inputs) {
  if (!peeked_) return WrappedFeeds::next(inputs);
  peeked_ = false;
  std::optional<ValueMap> first = std::exchange(first_, std::nullopt);
  return first && generates() ? again(0, inputs) : first;
}

}  // namespace polygraphy
