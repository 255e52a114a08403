// Where a failing sequence may end.
#pragma once

#include <cstddef>
#include <map>

#include "polygraphy/diagnosis/search/ddmin.h"

namespace polygraphy {

// The least n for which the first n positions fail. If one position is at fault, it is a bisection
// with independent pairs of tests, two of which can run at a time: which half, and whether the
// first or the second half of either half.
class ParallelBisect {
 public:
  // `fails` tests a part; all `most` positions fail. The callee caches repeated tests.
  ParallelBisect(size_t most, PartTest fails)
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
  bool prefix_fails(size_t size, const Upcoming<Part>& next = {});
  size_t bisect(size_t passing, size_t failing);

  size_t most_;
  PartTest fails_;
  Range likely_;
  std::map<size_t, bool> prefixes_;  // tested sizes, and whether they fail
};

}  // namespace polygraphy
