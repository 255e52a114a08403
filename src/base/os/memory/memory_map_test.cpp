#include "base/os/memory/memory_map.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/os/files/file_status.h"
#include "base/os/memory/pages.h"

namespace polygraphy {
namespace {

using Writes = MemoryMap::Writes;

class MemoryMapTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_);
    ASSERT_TRUE(set_size(file_.get(), 2 * page_size()));
    ASSERT_EQ(write_all_at(file_.get(), page_size(), std::as_bytes(std::span("abc", 3))), 0);
  }
  std::string in_file(size_t count) {
    std::string text(count, '?');
    EXPECT_EQ(read_all_at(file_.get(), page_size(), std::as_writable_bytes(std::span(text))),
              count);
    return text;
  }
  static std::string text_of(const MemoryMap& map) {
    return {reinterpret_cast<const char*>(map.data()), 3};
  }

  FileDescriptor file_ = make_memory_file("test");
};

TEST_F(MemoryMapTest, ShowsAPartOfAFile) {
  const MemoryMap map(file_.get(), page_size(), 3, Writes::kNone);
  file_.close();
  EXPECT_EQ(text_of(map), "abc");
  EXPECT_EQ(map.size(), 3u);
}

TEST_F(MemoryMapTest, SharedWritesReachTheFile) {
  const MemoryMap map(file_.get(), page_size(), page_size(), Writes::kShared);
  std::memcpy(map.data(), "xyz", 3);
  EXPECT_EQ(in_file(3), "xyz");
}

TEST_F(MemoryMapTest, PrivateWritesDoNot) {
  MemoryMap first(file_.get(), page_size(), page_size(), Writes::kPrivate);
  std::memcpy(first.data(), "xyz", 3);
  const MemoryMap map = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(text_of(map), "xyz");
  EXPECT_EQ(in_file(3), "abc");
}

TEST_F(MemoryMapTest, IsEmptyWhereTheSystemRefuses) {
  EXPECT_FALSE(MemoryMap(file_.get(), 1, page_size(), Writes::kNone));
  EXPECT_EQ(errno, EINVAL);
  EXPECT_FALSE(MemoryMap(-1, 0, page_size(), Writes::kNone));
  EXPECT_EQ(errno, EBADF);
}

TEST_F(MemoryMapTest, MemoryThatIsGivenBackIsZero) {
  const MemoryMap map(file_.get(), 0, 2 * page_size(), Writes::kShared);
  give_back(file_.get(), page_size(), page_size());
  EXPECT_EQ(in_file(3), std::string(3, '\0'));
  EXPECT_EQ(file_status(file_.get())->bytes, 2 * page_size());
}

TEST_F(MemoryMapTest, FindsHolesAndData) {
  const auto page = static_cast<int64_t>(page_size());
  give_back(file_.get(), 0, page_size());
  EXPECT_EQ(next_data(file_.get(), 0), page);
  EXPECT_EQ(next_hole(file_.get(), 0), 0);
  EXPECT_EQ(next_hole(file_.get(), page_size()), 2 * page);
  give_back(file_.get(), page_size(), page_size());
  EXPECT_EQ(next_data(file_.get(), 0), -1);
  EXPECT_EQ(errno, ENXIO);
}

TEST(PagesTest, AdviceLeavesTheBytes) {
  constexpr size_t kSize = size_t{6} << 20;
  std::vector<std::byte> block(kSize, std::byte{7});
  use_huge_pages(block.data(), block.size());
  use_huge_pages(block.data() + 1, 1);
  return_freed_memory();
  EXPECT_TRUE(block == std::vector<std::byte>(kSize, std::byte{7}));
  EXPECT_GE(memory_of_machine(), page_size());
}

}  // namespace
}  // namespace polygraphy
