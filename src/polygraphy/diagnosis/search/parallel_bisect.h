// Where a failing sequence may end.
#pragma once

#include <cstddef>
#include <functional>
#include <map>

#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// The least n for which the first n positions fail. A bisection, as long as one position is at
// fault, but one whose questions come in pairs that do not depend on each other, so that two can be
// asked at a time: which half, and whether the first or the second half of either half.
class ParallelBisect {
 public:
  // `fails` says whether a part does; the whole of `most` positions does. What is asked again is
  // remembered by whoever answers.
  ParallelBisect(size_t most, std::function<bool(const Part&)> fails)
      : most_(most), fails_(std::move(fails)), likely_{0, most} {}

  // At most three sizes of which one is likely the least: more than `passing`, up to `failing`.
  // About log2(most) questions. Right where one position is at fault, and mostly where several are:
  // the second question of a pair is about parts that lack some of what comes before.
  struct Range {
    size_t passing, failing;
  };
  Range narrow();
  // The least n for certain, where failing is monotone; two or three questions more where narrow()
  // was right.
  size_t prove();

 private:
  bool prefix_fails(size_t size);
  size_t bisect(size_t passing, size_t failing);

  size_t most_;
  std::function<bool(const Part&)> fails_;
  Range likely_;
  std::map<size_t, bool> prefixes_;  // sizes that have been asked, and whether they fail
};

}  // namespace polygraphy
