#include "polygraphy/diagnosis/precision/layer_marker.h"

#include <bit>
#include <deque>
#include <numeric>

namespace polygraphy {

LayerMarker::LayerMarker(Order order, Direction direction, int64_t layers)
    : order_(order),
      direction_(direction),
      layers_(layers),
      count_(order == Order::kBisect ? layers : 0),
      good_(layers + 1) {}

std::vector<int64_t> LayerMarker::selected() const {
  std::vector<int64_t> positions(static_cast<size_t>(count_));
  std::iota(positions.begin(), positions.end(),
            direction_ == Direction::kForward ? 0 : layers_ - count_);
  return positions;
}

std::string LayerMarker::text(int64_t count) const {
  return (direction_ == Direction::kForward ? "first " : "last ") + std::to_string(count) +
         " layer(s)";
}

bool LayerMarker::next(bool passed) {
  if (passed) good_ = count_;
  if (order_ == Order::kBisect) return bisect(passed);
  return !passed && ++count_ <= layers_;
}

bool LayerMarker::bisect(bool passed) {
  if (!passed) bad_ = count_;
  const int64_t before = count_;
  count_ = (good_ + bad_ + (passed ? 0 : 1)) / 2;  // closer to what has passed or failed last
  return count_ != before && good_ - bad_ > 1 && count_ <= layers_;
}

std::vector<LayerMarker> LayerMarker::successors() const {
  std::vector<LayerMarker> result;
  for (const bool passed : {false, true}) {
    LayerMarker successor = *this;
    if (successor.next(passed)) result.push_back(successor);
  }
  return result;
}

Upcoming<LayerMarker> LayerMarker::upcoming() const {
  const std::vector<LayerMarker> first = successors();
  return [searches = std::deque<LayerMarker>(first.begin(),
                                             first.end())]() mutable -> std::optional<LayerMarker> {
    if (searches.empty()) return std::nullopt;
    const LayerMarker search = searches.front();
    searches.pop_front();
    for (const LayerMarker& successor : search.successors()) searches.push_back(successor);
    return search;
  };
}

int64_t LayerMarker::remaining() const {
  if (order_ == Order::kLinear) return layers_ - count_;
  return std::bit_width(static_cast<uint64_t>(good_ - bad_ - 1));
}

}  // namespace polygraphy
