#include "formats/npz_checksum.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace polygraphy {
namespace {

std::vector<std::byte> random_bytes(size_t size) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

uint32_t of_zlib(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

TEST(ZipChecksum, OfTheTextThatAllAgreeOn) {
  const std::string_view digits = "123456789";
  EXPECT_EQ(zip_checksum(0, std::as_bytes(std::span(digits))), 0xCBF43926u);
}

TEST(ZipChecksum, IsThatOfZlibAtEveryLengthAndAlignment) {
  const std::vector<std::byte> bytes = random_bytes(700);
  for (size_t begin : {0, 1, 7, 15}) {
    for (size_t size = 0; begin + size <= bytes.size(); ++size) {
      const auto part = std::span(bytes).subspan(begin, size);
      ASSERT_EQ(zip_checksum(0, part), of_zlib(part)) << begin << " + " << size;
    }
  }
}

TEST(ZipChecksum, GoesOnPieceByPiece) {
  const std::vector<std::byte> bytes = random_bytes(10000);
  const auto all = std::span<const std::byte>(bytes);
  for (size_t cut : {0, 1, 63, 64, 65, 5000, 9999}) {
    const uint32_t first = zip_checksum(0, all.first(cut));
    EXPECT_EQ(zip_checksum(first, all.subspan(cut)), of_zlib(all)) << cut;
  }
}

}  // namespace
}  // namespace polygraphy
