#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace polygraphy {
namespace {

class ParallelForTest : public testing::TestWithParam<int> {
 protected:
  ParallelForTest() { set_parallelism(GetParam()); }
  ~ParallelForTest() override { set_parallelism(0); }
};

TEST_P(ParallelForTest, CoversEveryIndexOnce) {
  for (const int64_t count : {0, 1, 6, 7, 8, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
    parallel_for(count, 7, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(begin % 7, 0);
      EXPECT_LE(end - begin, 7);
      for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
    });
    for (const auto& visit : visits) EXPECT_EQ(visit, 1);
  }
}

TEST_P(ParallelForTest, WorksInsideItself) {
  std::atomic<int64_t> sum{0};
  parallel_for(8, 1, [&](int64_t outer, int64_t) {
    parallel_for(10, 3, [&](int64_t begin, int64_t end) { sum += (end - begin) * outer; });
  });
  EXPECT_EQ(sum, 10 * 28);
}

TEST_P(ParallelForTest, PassesTheFirstExceptionOn) {
  const auto fail_from = [](int64_t first) {
    parallel_for(64, 1, [&](int64_t begin, int64_t) {
      if (begin >= first) throw std::runtime_error("piece " + std::to_string(begin));
    });
  };
  EXPECT_THROW(fail_from(0), std::runtime_error);
  try {
    fail_from(63);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "piece 63");
  }
  // And is usable afterwards.
  std::atomic<int> pieces{0};
  parallel_for(64, 1, [&](int64_t, int64_t) { ++pieces; });
  EXPECT_EQ(pieces, 64);
}

TEST_P(ParallelForTest, ServesSeveralCallersAtOnce) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  callers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        parallel_for(100, 9, [&](int64_t begin, int64_t end) { sum += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 50 * 100);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelForTest, testing::Values(1, 2, 5));

TEST(ParallelFor, OnePieceStaysInTheCallersThread) {
  std::thread::id where;
  parallel_for(100, 100, [&](int64_t, int64_t) { where = std::this_thread::get_id(); });
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST(ParallelFor, UsesAtLeastOneThread) {
  EXPECT_GE(parallelism(), 1);
  set_parallelism(3);
  EXPECT_EQ(parallelism(), 3);
  set_parallelism(0);
}

}  // namespace
}  // namespace polygraphy
