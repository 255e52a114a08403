#include "polygraphy/diagnosis/precision/layer_marker.h"

#include <gmock/gmock.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using Order = LayerMarker::Order;
using Direction = LayerMarker::Direction;

struct Search {
  std::vector<int64_t> tried, remaining;
  int64_t passing = -1;
};

// Passes with at least `needed` layers.
Search search(Order order, int64_t layers, int64_t needed) {
  LayerMarker marker(order, Direction::kForward, layers);
  Search search;
  do {
    search.tried.push_back(marker.count());
    search.remaining.push_back(marker.remaining());
  } while (marker.next(marker.count() >= needed));
  search.passing = marker.passing();
  return search;
}

TEST(LayerMarker, BisectionHalvesWhatIsBetweenGoodAndBad) {
  const Search middle = search(Order::kBisect, 8, 3);
  EXPECT_THAT(middle.tried, ElementsAre(8, 4, 2, 3));
  EXPECT_THAT(middle.remaining, ElementsAre(4, 3, 2, 1));
  EXPECT_EQ(middle.passing, 3);
  const Search late = search(Order::kBisect, 5, 4);
  EXPECT_THAT(late.tried, ElementsAre(5, 2, 4, 3));
  EXPECT_THAT(late.remaining, ElementsAre(3, 3, 2, 1));
  EXPECT_EQ(late.passing, 4);
  EXPECT_THAT(search(Order::kBisect, 5, 0).tried, ElementsAre(5, 2, 1));
}

TEST(LayerMarker, BisectionMayNeedAllLayers) {
  EXPECT_THAT(search(Order::kBisect, 3, 3).tried, ElementsAre(3, 1, 2));
  EXPECT_EQ(search(Order::kBisect, 3, 3).passing, 3);
  EXPECT_EQ(search(Order::kBisect, 1, 1).passing, 1);
}

TEST(LayerMarker, BisectionEndsWhereAllLayersDoNotHelp) {
  const Search search = polygraphy::search(Order::kBisect, 8, 9);
  EXPECT_THAT(search.tried, ElementsAre(8));
  EXPECT_EQ(search.passing, -1);
}

TEST(LayerMarker, LinearAddsOneLayerAtATime) {
  const Search found = search(Order::kLinear, 5, 2);
  EXPECT_THAT(found.tried, ElementsAre(0, 1, 2));
  EXPECT_THAT(found.remaining, ElementsAre(5, 4, 3));
  EXPECT_EQ(found.passing, 2);
  const Search none = search(Order::kLinear, 2, 3);
  EXPECT_THAT(none.tried, ElementsAre(0, 1, 2));
  EXPECT_EQ(none.passing, -1);
}

TEST(LayerMarker, AnEmptyNetworkIsTriedOnce) {
  EXPECT_THAT(search(Order::kBisect, 0, 0).tried, ElementsAre(0));
  EXPECT_EQ(search(Order::kBisect, 0, 1).passing, -1);
}

TEST(LayerMarker, SelectsFromEitherEnd) {
  LayerMarker forward(Order::kBisect, Direction::kForward, 5);
  LayerMarker reverse(Order::kBisect, Direction::kReverse, 5);
  forward.next(true);
  reverse.next(true);
  EXPECT_THAT(forward.selected(), ElementsAre(0, 1));
  EXPECT_THAT(reverse.selected(), ElementsAre(3, 4));
  EXPECT_EQ(forward.text(2), "first 2 layer(s)");
  EXPECT_EQ(reverse.text(2), "last 2 layer(s)");
}

}  // namespace
}  // namespace polygraphy
