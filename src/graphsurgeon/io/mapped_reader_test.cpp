#include "graphsurgeon/io/mapped_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/os/testdata/temporary_folder.h"

namespace graphsurgeon {
namespace {

constexpr uint64_t kMiB = 1 << 20;

// 4 MiB of bytes in a file of 32 MiB, from the 8th on.
class MappedReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = folder_.path() + "/w.data";
    std::ofstream file(path);
    file.seekp(static_cast<std::streamoff>(8 * kMiB));
    file << std::string(4 * kMiB, 'x');
    file.close();
    std::filesystem::resize_file(path, 32 * kMiB);
    ExternalRange range;
    range.location = "w.data";
    range.offset = kMiB;
    range.folder = folder_.path();
    values_ = external_payload(DataType::kUint8, {16 * static_cast<int64_t>(kMiB)}, range);
  }
  polygraphy::TemporaryFolder folder_;
  PayloadPtr values_;
};

TEST_F(MappedReaderTest, KnowsHoles) {
  MappedReader reader(*values_, "w");
  const bool knows = reader.is_hole(0, kMiB);
  if (!knows) GTEST_SKIP() << "this file system does not tell";
  EXPECT_TRUE(reader.is_hole(kMiB, 6 * kMiB));
  EXPECT_FALSE(reader.is_hole(6 * kMiB, 2 * kMiB));  // the second half is data
  EXPECT_FALSE(reader.is_hole(8 * kMiB, kMiB));
  EXPECT_FALSE(reader.is_hole(10 * kMiB, 2 * kMiB));
  EXPECT_TRUE(reader.is_hole(11 * kMiB, kMiB));
  EXPECT_TRUE(reader.is_hole(15 * kMiB, kMiB));
}

TEST_F(MappedReaderTest, AdviceChangesNothing) {
  MappedReader reader(*values_, "w");
  for (uint64_t at = 0; at < 16 * kMiB; at += kMiB) reader.at(at, kMiB);
  EXPECT_EQ(values_->load("w").get_int64(8 * kMiB), 'x');
}

TEST(MappedReader, ValuesInMemoryHaveNothingToTell) {
  const auto values = owned_payload(Array::zeros(DataType::kFloat32, {4}));
  MappedReader reader(*values, "w");
  reader.at(0, 16);
  EXPECT_FALSE(reader.is_hole(0, 16));
}

}  // namespace
}  // namespace graphsurgeon
