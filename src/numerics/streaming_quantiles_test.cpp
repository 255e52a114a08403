#include "numerics/streaming_quantiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace polygraphy {
namespace {

// Runs all passes over `data`; the sample is drawn from `sampled`.
template <typename T>
std::vector<T> select(const std::vector<T>& data, const std::vector<T>& sampled,
                      const std::vector<int64_t>& ranks, int64_t sample_size,
                      int* passes = nullptr) {
  constexpr int64_t kBlock = 1000;
  const auto size = static_cast<int64_t>(data.size());
  StreamingQuantiles<T> selector(size, ranks, sample_size);
  const auto each_block = [&](const std::vector<T>& from, auto feed) {
    for (int64_t start = 0; start < size; start += kBlock) {
      feed(from.data() + start, start, std::min(kBlock, size - start));
    }
  };
  each_block(sampled, [&](const T* x, int64_t start, int64_t n) { selector.sample(x, start, n); });
  selector.plan();
  int count = 1;
  if (!selector.done()) {
    each_block(data, [&](const T* x, int64_t, int64_t n) { selector.collect(x, n); });
    selector.resolve();
    ++count;
  }
  for (; !selector.done(); ++count) {
    each_block(data, [&](const T* x, int64_t, int64_t n) { selector.narrow(x, n); });
    selector.resolve();
  }
  if (passes != nullptr) *passes = count;
  std::vector<T> values;
  for (size_t i = 0; i < ranks.size(); ++i) values.push_back(selector.value(i));
  return values;
}

template <typename T>
std::vector<T> by_sorting(std::vector<T> data, const std::vector<int64_t>& ranks) {
  std::sort(data.begin(), data.end());
  std::vector<T> values;
  for (int64_t rank : ranks) values.push_back(data[static_cast<size_t>(rank)]);
  return values;
}

constexpr int64_t kSize = 20000;
const std::vector<int64_t> kRanks = {0, 1, 9999, 10000, 18000, 19000, 19001, 19799, 19999};

template <typename T>
class StreamingQuantilesOf : public testing::Test {
 protected:
  // Data of many kinds: spread out, sorted both ways, few values, one value, a heavy tie amid
  // others, extremes.
  std::vector<std::vector<T>> kinds() {
    std::mt19937_64 random(7);
    std::vector<std::vector<T>> all;
    const auto add = [&](auto value) {
      std::vector<T> data;
      for (int64_t i = 0; i < kSize; ++i) data.push_back(static_cast<T>(value(i)));
      all.push_back(std::move(data));
    };
    const auto unit = [&] { return static_cast<double>(random() >> 11) / 9007199254740992.0; };
    add([&](int64_t) { return unit() * 1e6; });
    add([&](int64_t i) { return i; });
    add([&](int64_t i) { return kSize - i; });
    add([&](int64_t) { return random() % 5; });
    add([&](int64_t) { return 42; });
    add([&](int64_t) { return unit() < 0.44 ? 500000 : unit() * 1e6; });
    add([&](int64_t) { return unit() < 0.95 ? 0 : unit() * 1e6; });
    add([&](int64_t i) {
      return i % 2 == 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    });
    if constexpr (std::is_floating_point_v<T>) {
      const T inf = std::numeric_limits<T>::infinity();
      add([&](int64_t i) { return i % 3 == 0 ? -inf : i % 3 == 1 ? inf : T(unit()); });
      add([&](int64_t i) { return i % 2 == 0 ? T(-0.0) : T(0.0); });
      add([&](int64_t) { return (unit() - 0.5) * std::numeric_limits<T>::denorm_min() * 1000; });
    }
    return all;
  }
};
using ComputeTypes = testing::Types<float, double, int64_t, uint64_t>;
TYPED_TEST_SUITE(StreamingQuantilesOf, ComputeTypes);

TYPED_TEST(StreamingQuantilesOf, AgreesWithSorting) {
  for (const auto& data : this->kinds()) {
    for (int64_t sample_size : {0, 100, 3000}) {
      int passes = 0;
      EXPECT_EQ(select(data, data, kRanks, sample_size, &passes), by_sorting(data, kRanks));
    }
  }
}

TYPED_TEST(StreamingQuantilesOf, TwoPassesAreEnoughForAnHonestSample) {
  const auto data = this->kinds().front();
  int passes = 0;
  select(data, data, kRanks, 3000, &passes);
  EXPECT_EQ(passes, 2);
}

TYPED_TEST(StreamingQuantilesOf, SurvivesASampleThatMisleads) {
  const auto kinds = this->kinds();
  for (const auto& sampled : kinds) {
    for (const auto& data : kinds) {
      EXPECT_EQ(select(data, sampled, kRanks, 1000), by_sorting(data, kRanks));
    }
  }
}

TEST(StreamingQuantiles, SmallStreamsNeedOnePass) {
  const std::vector<float> data = {5, 1, 4, 2, 3};
  int passes = 0;
  EXPECT_EQ(select(data, data, {0, 2, 4}, 0, &passes), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(passes, 1);
}

}  // namespace
}  // namespace polygraphy
