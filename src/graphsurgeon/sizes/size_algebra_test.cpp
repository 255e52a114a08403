#include "graphsurgeon/sizes/size_algebra.h"

#include <gtest/gtest.h>

namespace graphsurgeon {
namespace {

const Dim kZero{int64_t{0}};

class SizeAlgebraTest : public ::testing::Test {
 protected:
  // The size of a window of `k` that moves in steps of `s`, with `p` elements added.
  Dim window(const Dim& size, int64_t k, int64_t s, int64_t p) {
    return sizes.sum(sizes.floor_quotient(sizes.sum(size, p - k), s), 1);
  }
  SizeAlgebra sizes;
};

TEST_F(SizeAlgebraTest, NumbersAreComputed) {
  EXPECT_EQ(sizes.sum(2, 3), Dim(5));
  EXPECT_EQ(sizes.floor_quotient(-7, 2), Dim(-4));
  EXPECT_EQ(sizes.remainder(-7, 3), Dim(2));
  EXPECT_EQ(sizes.minimum(4, 3), Dim(3));
  EXPECT_EQ(sizes.sum(INT64_MAX, 1), Dim());
  EXPECT_EQ(sizes.floor_quotient(1, kZero), Dim());
}

TEST_F(SizeAlgebraTest, FormulasAreInTheFormOfOnnxRuntimesTool) {
  EXPECT_EQ(sizes.product("batch", 2), Dim("2*batch"));
  EXPECT_EQ(sizes.product("seq", "batch"), Dim("batch*seq"));
  EXPECT_EQ(sizes.sum("past", 1), Dim("past + 1"));
  EXPECT_EQ(sizes.difference("h", 2), Dim("h - 2"));
  EXPECT_EQ(sizes.difference("b", "a"), Dim("b - a"));
  EXPECT_EQ(sizes.sum(sizes.difference("n", "m"), 1), Dim("n - m + 1"));
  EXPECT_EQ(sizes.difference(4, "h"), Dim("4 - h"));
  EXPECT_EQ(sizes.minimum("seq", 512), Dim("Min(512, seq)"));
  EXPECT_EQ(sizes.product("n", "n"), Dim("n**2"));
  EXPECT_EQ(sizes.floor_quotient("h", 2), Dim("floor(h/2)"));
  EXPECT_EQ(sizes.quotient("h", 2), Dim("h/2"));
  EXPECT_EQ(sizes.floor_quotient("n", "m"), Dim("floor((n)/(m))"));
}

TEST_F(SizeAlgebraTest, FormulasAreSimplified) {
  EXPECT_EQ(sizes.difference("2*batch", "batch"), Dim("batch"));
  EXPECT_EQ(sizes.difference("n", "n"), Dim(int64_t{0}));
  EXPECT_EQ(sizes.floor_quotient("6*n*m", "2*n"), Dim("3*m"));
  EXPECT_EQ(sizes.floor_quotient("n*h + n", "h + 1"), Dim("n"));
  EXPECT_EQ(window("h", 3, 2, 2), Dim("floor(h/2 + 1/2)"));
  // The size of a size of a size.
  EXPECT_EQ(window(window(window("h", 3, 2, 2), 3, 2, 2), 3, 2, 2), Dim("floor(h/8 + 7/8)"));
  EXPECT_EQ(sizes.ceiling("h/4"), Dim("floor(h/4 + 3/4)"));
  EXPECT_EQ(sizes.floor("5*h/2 + 3/2"), Dim("floor(h/2 + 1/2) + 2*h + 1"));
  EXPECT_EQ(sizes.minimum("Min(512, n)", 100), Dim("Min(100, n)"));
}

// (4 - h % 4) % 4, as exporters pad to a multiple of 4.
TEST_F(SizeAlgebraTest, RemaindersCancelOut) {
  const Dim pad = sizes.remainder(sizes.difference(4, sizes.remainder("h", 4)), 4);
  const Dim padded = sizes.sum("h", pad);
  EXPECT_EQ(padded, Dim("4*floor(h/4 + 3/4)"));
  EXPECT_TRUE(sizes.is_at_least(padded, "h"));
  EXPECT_EQ(sizes.floor_quotient(padded, 4), Dim("floor(h/4 + 3/4)"));
  EXPECT_EQ(sizes.remainder(padded, 4), Dim(int64_t{0}));
}

TEST_F(SizeAlgebraTest, PartsOfASizeAddUpToIt) {
  const Dim first = sizes.minimum("n", 3);
  EXPECT_EQ(sizes.sum(first, sizes.difference("n", first)), Dim("n"));
}

TEST_F(SizeAlgebraTest, BroadcastingKeepsWhatIsNotOne) {
  EXPECT_EQ(sizes.broadcast("n", 1), Dim("n"));
  EXPECT_EQ(sizes.broadcast(5, "n"), Dim(5));
  EXPECT_EQ(sizes.broadcast("1 + n", "n + 1"), Dim("1 + n"));
  // Embeddings of 512 positions, of which as many are taken as there are tokens.
  EXPECT_EQ(sizes.broadcast("n", "Min(512, n)"), Dim("n"));
  EXPECT_EQ(sizes.broadcast("n", "m"), Dim("Broadcast(m, n)"));
  // 0 and 1 are 0.
  EXPECT_EQ(sizes.broadcast("n", "floor(n/2)"), Dim("Broadcast(floor(n/2), n)"));
  EXPECT_EQ(sizes.sum("Broadcast(m, n)", 1), Dim("Broadcast(m, n) + 1"));
  EXPECT_TRUE(sizes.is_at_least("Broadcast(m, n)", kZero));
}

TEST_F(SizeAlgebraTest, ProofsNeedBounds) {
  EXPECT_TRUE(sizes.is_at_least("n", kZero));
  EXPECT_FALSE(sizes.is_at_least("n", 1));
  EXPECT_TRUE(sizes.is_at_least("n", -1));
  EXPECT_TRUE(sizes.is_at_least("n", "Min(n, m)"));
  EXPECT_TRUE(sizes.is_at_least("Max(n, m)", "m"));
  EXPECT_FALSE(sizes.is_at_least("n", "m"));
  EXPECT_TRUE(sizes.is_at_least("n", "floor(n/2)"));
  EXPECT_FALSE(sizes.is_at_least("floor(n/2)", 1));
  EXPECT_FALSE(sizes.is_at_least("h - 2", kZero));
  sizes.note_size("h - 2");
  EXPECT_TRUE(sizes.is_at_least("h - 2", kZero));
  EXPECT_EQ(sizes.maximum("h - 2", kZero), Dim("h - 2"));
}

TEST_F(SizeAlgebraTest, FormulasOfTheModelKeepTheirForm) {
  EXPECT_EQ(sizes.sum("1 + past", 1), Dim("past + 2"));
  EXPECT_EQ(sizes.difference("past + 2", 1), Dim("1 + past"));
  EXPECT_TRUE(sizes.is_equal("past + 1", "1 + past"));
}

TEST_F(SizeAlgebraTest, OtherNamesAreOneName) {
  EXPECT_EQ(sizes.sum("seq-len", 1), Dim("seq-len + 1"));
  EXPECT_EQ(sizes.difference("seq-len + 1", 1), Dim("seq-len"));
  EXPECT_TRUE(sizes.is_at_least("seq-len", kZero));
  EXPECT_EQ(sizes.sum("p2o.DynamicDimension.0", "?"), Dim("? + p2o.DynamicDimension.0"));
  for (const char* odd :
       {"batch size", "N/A", "f(x)", "floor(", "((((", "a**9999", "7", "", "1/0"}) {
    EXPECT_EQ(sizes.sum(odd, kZero), Dim(odd));
    EXPECT_EQ(sizes.sum(sizes.difference(odd, odd), kZero), *odd == '\0' ? Dim() : Dim(int64_t{0}))
        << odd;
  }
  EXPECT_FALSE(sizes.is_equal("7", 7));
}

TEST_F(SizeAlgebraTest, LongFormulasAreUnknown) {
  Dim size = "n";
  for (int i = 0; i < 100 && !(size == Dim()); ++i) {
    size = sizes.floor_quotient(sizes.sum(sizes.product(size, "m"), "k"), "q");
  }
  EXPECT_EQ(size, Dim());
  EXPECT_EQ(sizes.sum(size, 1), Dim());
  std::string deep(300, '(');
  deep.append("n").append(300, ')');
  EXPECT_EQ(sizes.difference(std::string_view(deep), std::string_view(deep)), Dim(int64_t{0}));
}

TEST_F(SizeAlgebraTest, TheLeastNumberHasAForm) {
  EXPECT_EQ(sizes.sum("n", INT64_MIN), Dim("n - 9223372036854775808"));
}

TEST_F(SizeAlgebraTest, UnknownSizesStayUnknown) {
  EXPECT_EQ(sizes.sum(Dim(), 1), Dim());
  EXPECT_EQ(sizes.product(Dim(), kZero), Dim(int64_t{0}));
  EXPECT_FALSE(sizes.is_equal(Dim(), Dim()));
}

}  // namespace
}  // namespace graphsurgeon
