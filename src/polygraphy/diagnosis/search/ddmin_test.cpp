#include "polygraphy/diagnosis/search/ddmin.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "polygraphy/diagnosis/search/testdata/turns.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

Part all(size_t n) {
  Part part(n);
  std::iota(part.begin(), part.end(), size_t{0});
  return part;
}

struct Outcome {
  Part part;
  size_t asked = 0;
};

// Fails when all of these are there.
Outcome reduce(size_t n, const Part& culprits) {
  Outcome outcome;
  std::set<Part> seen;
  outcome.part = ddmin(all(n), [&](const Part& part, const auto&) {
    EXPECT_TRUE(seen.insert(part).second) << "asked twice";
    EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
    ++outcome.asked;
    return std::includes(part.begin(), part.end(), culprits.begin(), culprits.end());
  });
  return outcome;
}

TEST(Ddmin, FindsOneAnywhere) {
  for (size_t i = 0; i < 100; ++i) {
    const Outcome outcome = reduce(100, {i});
    EXPECT_THAT(outcome.part, ElementsAre(i));
    EXPECT_LE(outcome.asked, 14u) << i;
  }
}

TEST(Ddmin, FindsTwoFarApart) {
  const Outcome outcome = reduce(12765, {17, 12000});
  EXPECT_THAT(outcome.part, ElementsAre(17, 12000));
  EXPECT_LE(outcome.asked, 40u);
}

TEST(Ddmin, FindsSeveral) {
  const Part culprits = {3, 500, 501, 900};
  const Outcome outcome = reduce(1000, culprits);
  EXPECT_THAT(outcome.part, ElementsAreArray(culprits));
  EXPECT_LE(outcome.asked, 150u);
}

// The parts of `next` are those that follow, as often as a guess can be right.
TEST(Ddmin, TwoAtATimeTakeFewerTurns) {
  const Part culprits = {3, 500, 501, 900};
  Turns turns(2, needs(culprits));
  EXPECT_THAT(ddmin(all(1000), turns.test()), ElementsAreArray(culprits));
  EXPECT_EQ(turns.asked, reduce(1000, culprits).asked);
  EXPECT_LE(turns.taken, turns.asked * 2 / 3);
}

TEST(Ddmin, KeepsEverythingWhenEverythingIsNeeded) {
  EXPECT_EQ(reduce(7, all(7)).part, all(7));
}

TEST(Ddmin, TheResultFailsThoughFailingIsNotMonotone) {
  // Needs 5, and an odd number of parts.
  const auto fails = [](const Part& part, const Upcoming<Part>&) {
    return part.size() % 2 == 1 && std::binary_search(part.begin(), part.end(), size_t{5});
  };
  const Part part = ddmin(all(11), fails);
  EXPECT_TRUE(fails(part, {}));
}

TEST(MinimalSubset, WhereNothingIsNeededTakesOneTest) {
  int asked = 0;
  EXPECT_THAT(minimal_subset(9, [&](const Part&, const auto&) { return ++asked > 0; }),
              ElementsAre());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(minimal_subset(0, [](const Part&, const auto&) { return false; }), ElementsAre());
}

TEST(MinimalSubset, KeepsWhatIsNeeded) {
  const auto fails = [](const Part& part, const Upcoming<Part>&) {
    return std::binary_search(part.begin(), part.end(), size_t{3});
  };
  EXPECT_THAT(minimal_subset(9, fails), ElementsAre(3));
}

TEST(Part, IsWrittenAsRanges) {
  EXPECT_EQ(to_text({}), "");
  EXPECT_EQ(to_text({3}), "3");
  EXPECT_EQ(to_text({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

}  // namespace
}  // namespace polygraphy
