#include "polygraphy/diagnosis/search/fewest_kept.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// Of nodes that are all MatMul but for those named, where all of `needed` have to be kept.
struct Network {
  explicit Network(size_t nodes) : kinds(nodes, "MatMul") {}

  Part search(const Part& needed) {
    return fewest_kept(kinds, [&](const Part& kept, const Upcoming<Part>& next) {
      while (const auto later = take_next(next)) {
        EXPECT_FALSE(asked.contains(*later)) << "offered again: " << to_text(*later);
      }
      EXPECT_TRUE(asked.insert(kept).second) << "asked twice: " << to_text(kept);
      return std::includes(kept.begin(), kept.end(), needed.begin(), needed.end());
    });
  }

  std::vector<std::string> kinds;
  std::set<Part> asked;
};

TEST(FewestKept, FindsOneNodeInLogarithmicallyManyQuestions) {
  for (const size_t culprit : {0, 1, 511, 700, 1022, 1023}) {
    Network network(1024);
    EXPECT_THAT(network.search({culprit}), ElementsAre(culprit));
    EXPECT_LE(network.asked.size(), 16u) << culprit;
  }
}

TEST(FewestKept, FindsNodesThatStandApart) {
  Network network(300);
  EXPECT_THAT(network.search({3, 150, 299}), ElementsAre(3, 150, 299));
}

TEST(FewestKept, LooksAmongTheKindsThatAreNeeded) {
  Network network(1000);
  Part norms;
  for (size_t i = 10; i < 1000; i += 100) norms.push_back(i);
  for (const size_t i : norms) network.kinds[i] = "ReduceMean";
  EXPECT_THAT(network.search(norms), ElementsAreArray(norms));
  EXPECT_LT(network.asked.size(), 70u);
}

TEST(FewestKept, FindsNodesOfSeveralKinds) {
  Network network(100);
  network.kinds[20] = "Exp";
  network.kinds[21] = network.kinds[60] = "ReduceSum";
  EXPECT_THAT(network.search({20, 60}), ElementsAre(20, 60));
}

TEST(FewestKept, OneNodeIsAllThatThereIs) {
  Network network(1);
  EXPECT_THAT(network.search({0}), ElementsAre(0));
  EXPECT_TRUE(network.asked.empty());
}

// Errors may cancel each other: a set that is half kept is worse than an empty one.
TEST(FewestKept, TheResultPassesWhereVerdictsAreNotMonotone) {
  const auto passes = [](const Part& kept) { return kept.size() >= 7 && kept.size() % 2 == 1; };
  const Part found = fewest_kept(std::vector<std::string>(9, "Add"),
                                 [&](const Part& kept, const auto&) { return passes(kept); });
  EXPECT_TRUE(passes(found));
}

}  // namespace
}  // namespace polygraphy
