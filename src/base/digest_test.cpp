#include "base/digest.h"

#include <gtest/gtest.h>

#include <set>

namespace polygraphy {
namespace {

std::string digest(std::string_view bytes) {
  return Digest().add(bytes).text();
}

TEST(DigestTest, EqualContentsHaveEqualDigests) {
  EXPECT_EQ(digest("a model"), digest("a model"));
  EXPECT_EQ(digest("a model").size(), 32U);
}

TEST(DigestTest, EveryBitAndEveryLengthCounts) {
  std::set<std::string> seen;
  const std::string zeros(40, '\0');
  for (size_t length = 0; length <= zeros.size(); ++length) {
    EXPECT_TRUE(seen.insert(digest(std::string_view(zeros).substr(0, length))).second) << length;
  }
  for (size_t bit = 0; bit < 8 * zeros.size(); ++bit) {
    std::string changed = zeros;
    changed[bit / 8] = static_cast<char>(1U << (bit % 8));
    EXPECT_TRUE(seen.insert(digest(changed)).second) << bit;
  }
}

TEST(DigestTest, PiecesCount) {
  const std::string ab = Digest().add("a").add("b").text();
  EXPECT_NE(ab, digest("ab"));
  EXPECT_NE(ab, Digest().add("b").add("a").text());
}

// Journals on disk hold them.
TEST(DigestTest, IsTheSameFromVersionToVersion) {
  EXPECT_EQ(Digest().add("polygraphy").add(7).text(), "d3a9aa29101aef2c35c0e4b663165839");
}

}  // namespace
}  // namespace polygraphy
