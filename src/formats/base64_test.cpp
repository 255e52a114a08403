#include "formats/base64.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace polygraphy {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string encode(std::string_view text, const std::vector<size_t>& pieces) {
  Base64Encoder encoder;
  std::string out;
  std::vector<char> buffer(Base64Encoder::text_limit(text.size()));
  for (size_t piece : pieces) {
    out.append(buffer.data(), encoder.encode(bytes_of(text.substr(0, piece)), buffer.data()));
    text.remove_prefix(std::min(piece, text.size()));
  }
  out.append(buffer.data(), encoder.encode(bytes_of(text), buffer.data()));
  return out.append(buffer.data(), encoder.finish(buffer.data()));
}

TEST(Base64, EncodesInPiecesOfAnySize) {
  // RFC 4648, section 10.
  EXPECT_EQ(encode("", {}), "");
  EXPECT_EQ(encode("f", {}), "Zg==");
  EXPECT_EQ(encode("fo", {1}), "Zm8=");
  EXPECT_EQ(encode("foo", {1, 1}), "Zm9v");
  EXPECT_EQ(encode("foobar", {2}), "Zm9vYmFy");
  EXPECT_EQ(encode("foobar", {1, 1, 1, 1, 1}), "Zm9vYmFy");
}

TEST(Base64, DecodesIntoPlacesOfAnySize) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string data(random() % 300, '\0');
    for (char& c : data) c = static_cast<char>(random());
    const std::string text = encode(data, {random() % 7, random() % 50});
    Base64Source source(text);
    ASSERT_EQ(source.remaining(), data.size());
    std::string read;
    while (source.remaining() > 0) {
      std::vector<std::byte> part(std::min<size_t>(source.remaining(), 1 + random() % 100));
      ASSERT_TRUE(source.read(part));
      read.append(reinterpret_cast<const char*>(part.data()), part.size());
    }
    EXPECT_EQ(read, data);
  }
}

TEST(Base64, RefusesWhatIsNone) {
  std::byte out[16];
  EXPECT_FALSE(decoded_base64_size("abc"));
  EXPECT_FALSE(decode_base64("ab*d", out));
  EXPECT_FALSE(decode_base64("ab\nd", out));
  EXPECT_FALSE(decode_base64("a===", out));
  EXPECT_FALSE(decode_base64("Zg==Zg==", out));
  Base64Source source("Zm9v====");
  EXPECT_FALSE(source.read(std::span(out).first(5)));
}

}  // namespace
}  // namespace polygraphy
