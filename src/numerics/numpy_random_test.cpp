#include "numerics/numpy_random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace polygraphy {
namespace {

using testing::ElementsAre;

// Six elements of np.random.RandomState(12345).randint(low, high + 1, 6, dtype), and the draw that
// follows.
template <typename T, typename Fill>
std::vector<int64_t> six(Fill fill, T low, T range, uint32_t& next) {
  NumpyRandom random(12345);
  std::vector<T> out(6);
  (random.*fill)(out, low, range);
  next = random.next_uint32();
  return {out.begin(), out.end()};
}

TEST(NumpyRandom, Uniform) {
  NumpyRandom random(1);
  double out[3];
  random.fill_uniform(out);
  EXPECT_THAT(out, ElementsAre(0.417022004702574, 0.7203244934421581, 0.00011437481734488664));
}

// np.random.seed(1): randn(3), randn(2), random_sample()
TEST(NumpyRandom, Normal) {
  NumpyRandom random(1);
  double three[3], two[2], one[1];
  random.fill_normal(three);
  EXPECT_THAT(three, ElementsAre(1.6243453636632417, -0.6117564136500754, -0.5281717522634557));
  random.fill_normal(two);
  EXPECT_THAT(two, ElementsAre(-1.0729686221561705, 0.8654076293246785));
  random.fill_uniform(one);
  EXPECT_NEAR(one[0], 0.41919451, 1e-8);
}

TEST(NumpyRandom, NarrowTypesShareADraw) {
  uint32_t next = 0;
  EXPECT_THAT(six<uint8_t>(&NumpyRandom::fill_bool, 0, 1, next), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_EQ(next, 3823185381u);
  EXPECT_THAT(six<uint8_t>(&NumpyRandom::fill_uint8, 3, 9, next), ElementsAre(5, 4, 8, 4, 6, 3));
  EXPECT_EQ(next, 561383553u);
  EXPECT_THAT(six<uint8_t>(&NumpyRandom::fill_uint8, 128, 255, next),
              ElementsAre(98, 256 - 47, 123, 109, 101, 256 - 83));
  EXPECT_EQ(next, 1358822685u);
  EXPECT_THAT(six<uint16_t>(&NumpyRandom::fill_uint16, static_cast<uint16_t>(-300), 1000, next),
              ElementsAre(182, 207, 185, 693, 65536 - 15, 65536 - 47));
  EXPECT_EQ(next, 561383553u);
  EXPECT_THAT(six<uint16_t>(&NumpyRandom::fill_uint16, 0, 65535, next),
              ElementsAre(20962, 60923, 11749, 58337, 64797, 20733));
}

TEST(NumpyRandom, WideTypes) {
  uint32_t next = 0;
  EXPECT_THAT(six<uint32_t>(&NumpyRandom::fill_uint32, 0, 1, next), ElementsAre(0, 1, 1, 1, 0, 1));
  EXPECT_EQ(next, 878579710u);
  EXPECT_THAT(six<uint32_t>(&NumpyRandom::fill_uint32, 0, 0xffffffff, next),
              ElementsAre(3992670690, 3823185381, 1358822685, 561383553, 789925284, 170765737));
  EXPECT_THAT(six<uint64_t>(&NumpyRandom::fill_uint64, static_cast<uint64_t>(-5), 10, next),
              ElementsAre(-3, 0, -4, -1, 4, 0));
  EXPECT_EQ(next, 2285257250u);
  EXPECT_THAT(six<uint64_t>(&NumpyRandom::fill_uint64, static_cast<uint64_t>(-(int64_t{1} << 62)),
                            uint64_t{1} << 63, next),
              ElementsAre(1224412975271905409, -1218982757193110103, -838214893498707586,
                          -4456949216062740854, -2648133823474952494, 898424861627152647));
  EXPECT_EQ(next, 2819264555u);
}

TEST(NumpyRandom, ARangeOfOneValueDrawsNothing) {
  uint32_t next = 0;
  EXPECT_THAT(six<uint64_t>(&NumpyRandom::fill_uint64, 7, 0, next), ElementsAre(7, 7, 7, 7, 7, 7));
  EXPECT_EQ(next, 3992670690u);
}

}  // namespace
}  // namespace polygraphy
