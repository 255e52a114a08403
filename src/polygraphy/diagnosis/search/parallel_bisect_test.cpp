#include "polygraphy/diagnosis/search/parallel_bisect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "polygraphy/diagnosis/search/testdata/turns.h"

namespace polygraphy {
namespace {

struct Asked {
  explicit Asked(std::set<size_t> wanted) : needed(std::move(wanted)) {}
  bool operator()(const Part& part, const Upcoming<Part>&) {
    ++questions;
    return std::includes(part.begin(), part.end(), needed.begin(), needed.end());
  }
  std::set<size_t> needed;
  int questions = 0;
};

TEST(ParallelBisectTest, OnePositionTakesNoMoreThanABisection) {
  for (const size_t most : {1, 2, 3, 4, 5, 7, 8, 40, 64, 415}) {
    const int bisection = most < 2 ? 0 : static_cast<int>(std::ceil(std::log2(most)));
    for (size_t position = 0; position < most; ++position) {
      Asked asked({position});
      ParallelBisect search(most, std::ref(asked));
      EXPECT_EQ(search.find_one(), position) << most;
      EXPECT_LE(asked.questions, bisection + 3) << position << " of " << most;
      EXPECT_EQ(search.prove(), position + 1);
      EXPECT_LE(asked.questions, bisection + 6);
    }
  }
}

TEST(ParallelBisectTest, OfSeveralPositionsTheLastCounts) {
  for (size_t first = 0; first < 40; ++first) {
    for (size_t last = first + 1; last < 40; ++last) {
      Asked asked({first, last});
      ParallelBisect search(40, std::ref(asked));
      EXPECT_EQ(search.find_one(), std::nullopt);
      EXPECT_EQ(search.prove(), last + 1) << first;
      EXPECT_LE(asked.questions, 16) << first << " " << last;
    }
  }
}

TEST(ParallelBisectTest, PairsAreAskedTogether) {
  for (const size_t position : {0, 1, 200, 300, 414}) {
    Turns turns(2, needs({position})), more(10, needs({position}));
    ParallelBisect(415, turns.test()).find_one();
    EXPECT_EQ(turns.taken, (turns.asked + 1) / 2) << position;
    // Those of all that may come of the first pair, too.
    ParallelBisect(415, more.test()).find_one();
    EXPECT_EQ(more.asked, turns.asked);
    EXPECT_EQ(more.taken, (turns.taken + 1) / 2) << position;
  }
}

// Two faults, each of which is enough: the first of them that ends a prefix.
TEST(ParallelBisectTest, EitherOfTwoIsEnough) {
  for (size_t other = 0; other < 30; ++other) {
    ParallelBisect search(30, [&](const Part& part, const auto&) {
      return std::binary_search(part.begin(), part.end(), size_t{11}) ||
             std::binary_search(part.begin(), part.end(), other);
    });
    const auto one = search.find_one();
    EXPECT_TRUE(!one || *one == 11 || *one == other);
    EXPECT_EQ(search.prove(), std::min<size_t>(11, other) + 1) << other;
  }
}

}  // namespace
}  // namespace polygraphy
