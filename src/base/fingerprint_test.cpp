#include "base/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

namespace polygraphy {
namespace {

Fingerprint of_pieces(const std::vector<std::string>& pieces) {
  FingerprintBuilder builder;
  for (const std::string& piece : pieces) builder.add(piece);
  return builder.value();
}

// The reference values of XXH3-128: of nothing, and of "a".
TEST(FingerprintTest, IsXxh3) {
  EXPECT_EQ(fingerprint("").text(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(fingerprint("a").text(), "a96faf705af16834e6c632b61e964e1f");
}

TEST(FingerprintTest, EveryBitAndEveryLengthCounts) {
  std::set<Fingerprint> seen;
  const std::string zeros(300, '\0');
  for (size_t length = 0; length <= zeros.size(); ++length) {
    EXPECT_TRUE(seen.insert(fingerprint(std::string_view(zeros).substr(0, length))).second)
        << length;
  }
  for (size_t bit = 0; bit < 8 * zeros.size(); ++bit) {
    std::string changed = zeros;
    changed[bit / 8] = static_cast<char>(1U << (bit % 8));
    EXPECT_TRUE(seen.insert(fingerprint(changed)).second) << bit;
  }
}

TEST(FingerprintTest, PiecesCount) {
  EXPECT_EQ(of_pieces({"a", "b"}), of_pieces({"a", "b"}));
  EXPECT_NE(of_pieces({"a", "b"}), of_pieces({"ab"}));
  EXPECT_NE(of_pieces({"a", "b"}), of_pieces({"b", "a"}));
  EXPECT_NE(of_pieces({"", "a"}), of_pieces({"a", ""}));
}

TEST(FingerprintTest, MoreCanBeAdded) {
  FingerprintBuilder builder;
  const Fingerprint first = builder.add("a").value();
  EXPECT_EQ(first, of_pieces({"a"}));
  EXPECT_EQ(builder.add("b").value(), of_pieces({"a", "b"}));
}

// Journals on disk hold them.
TEST(FingerprintTest, IsTheSameFromVersionToVersion) {
  EXPECT_EQ(FingerprintBuilder().add("polygraphy").add(7).value().text(),
            "7e57a691619d974720089312c4154c48");
}

}  // namespace
}  // namespace polygraphy
