// Where a failing sequence may end.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

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

  // The position that fails alone, if it is one that about log2(most) questions lead to: right
  // where one is at fault, and mostly where several are, of which each is enough.
  std::optional<size_t> find_one();
  // The least n for certain, if failing is monotone; repeats no question of find_one(), and needs
  // two or three more if those have led to it.
  size_t prove();

  // The questions that find_one() may ask, in their order as far as it is known.
  static Upcoming<Part> first_questions(size_t most);

  // Of sizes: the least is more than `passing`, up to `failing`.
  struct Range {
    size_t passing, failing;
  };

 private:
  void narrow();
  bool prefix_fails(size_t size, const Upcoming<Part>& next = {});
  size_t bisect(size_t passing, size_t failing);

  size_t most_;
  PartTest fails_;
  Range likely_;  // three sizes in the end: the second test of a pair lacks positions before it
  std::map<size_t, bool> prefixes_;  // tested sizes, and whether they fail
};

}  // namespace polygraphy
