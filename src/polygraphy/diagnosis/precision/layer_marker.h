// How many layers are marked next, from one end of the network: the orders in which `debug
// precision` tries them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

class LayerMarker {
 public:
  enum class Order { kBisect, kLinear };
  // From the network's beginning, or from its end.
  enum class Direction { kForward, kReverse };

  LayerMarker(Order order, Direction direction, int64_t layers);

  // How many, and their positions: ascending.
  int64_t count() const { return count_; }
  std::vector<int64_t> selected() const;
  // "first 3 layer(s)", "last 3 layer(s)".
  std::string text(int64_t count) const;

  // The verdict on count() layers. False: there is nothing more to try.
  bool next(bool passed);
  // Searches that may follow this one, by its next verdicts.
  Upcoming<LayerMarker> upcoming() const;
  // The estimate that is shown.
  int64_t remaining() const;
  // The least count known to pass; -1: no count.
  int64_t passing() const { return good_ > layers_ ? -1 : good_; }

 private:
  bool bisect(bool passed);
  std::vector<LayerMarker> successors() const;

  Order order_;
  Direction direction_;
  int64_t layers_;
  int64_t count_, good_, bad_ = 0;  // good_: one more than there are, until one has passed
};

}  // namespace polygraphy
