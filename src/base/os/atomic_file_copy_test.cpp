// AtomicFile::copy_from().
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/testdata/io_message.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/progress.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

class CopyFromTest : public testing::Test {
 protected:
  CopyFromTest() {
    for (size_t i = 0; i < 400'000; ++i) source_ += static_cast<char>('a' + i % 23);
    put(folder_ / "source", source_);
    fd_ = ::open((folder_ / "source").c_str(), O_RDONLY);
  }
  ~CopyFromTest() override { ::close(fd_); }

  TemporaryFolder folder_;
  std::string source_;
  int fd_ = -1;
};

TEST_F(CopyFromTest, CopiesAnyRangeBetweenWrites) {
  AtomicFile file(folder_ / "out");
  file.write("head");
  file.copy_from(fd_, 17, 300'000);
  EXPECT_EQ(file.position(), 300'004u);
  file.write("middle");
  file.copy_from(fd_, 399'999, 1);
  file.copy_from(fd_, 0, 0);
  file.write("tail");
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"),
            "head" + source_.substr(17, 300'000) + "middle" + source_.substr(399'999) + "tail");
  EXPECT_EQ(::lseek(fd_, 0, SEEK_CUR), 0);
}

TEST_F(CopyFromTest, CopiesWholeBlocks) {
  AtomicFile file(folder_ / "out");
  file.copy_from(fd_, 0, 8192);
  file.copy_from(fd_, 4096, 200'000);
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"), source_.substr(0, 8192) + source_.substr(4096, 200'000));
}

TEST_F(CopyFromTest, HolesStayHoles) {
  constexpr off_t kSize = off_t{64} << 20;
  const std::string sparse = folder_ / "sparse", out = folder_ / "out";
  const int from = ::open(sparse.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::ftruncate(from, kSize), 0);
  ASSERT_EQ(::pwrite(from, "in the middle", 13, kSize / 2), 13);
  AtomicFile file(out);
  file.write("head");
  file.copy_from(from, 1, kSize - 1);
  file.write("tail");
  file.commit();
  const std::string copy = contents_of(out);
  ASSERT_EQ(copy.size(), 4 + static_cast<size_t>(kSize) - 1 + 4);
  EXPECT_EQ(copy.substr(4 + kSize / 2 - 1, 13), "in the middle");
  EXPECT_EQ(copy.find_first_not_of('\0', 4), 4u + kSize / 2 - 1);
  EXPECT_TRUE(copy.ends_with(std::string(100, '\0') + "tail"));
  struct stat before{}, after{};
  ASSERT_EQ(::fstat(from, &before), 0);
  ASSERT_EQ(::stat(out.c_str(), &after), 0);
  ::close(from);
  // Where the file system has holes at all.
  if (before.st_blocks * 512 < kSize) {
    EXPECT_LT(after.st_blocks * 512, kSize);
  }
}

TEST_F(CopyFromTest, HolesStayHolesBehindALargeBeginning) {
  constexpr off_t kSize = off_t{64} << 20;
  const int from = ::open((folder_ / "sparse").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::ftruncate(from, kSize), 0);
  struct stat before{}, after{};
  ASSERT_EQ(::fstat(from, &before), 0);
  const std::string beginning(20'000'000, 'b');  // so much that space is reserved ahead of it
  AtomicFile file(folder_ / "out");
  file.write(beginning);
  file.copy_from(from, 0, kSize);
  file.write("tail");
  file.commit();
  ::close(from);
  const std::string copy = contents_of(folder_ / "out");
  EXPECT_EQ(copy, beginning + std::string(kSize, '\0') + "tail");
  ASSERT_EQ(::stat((folder_ / "out").c_str(), &after), 0);
  if (before.st_blocks * 512 < kSize) {
    EXPECT_LT(after.st_blocks * 512, 24'000'000);
  }
}

TEST_F(CopyFromTest, TellsHowFarItIs) {
  const std::string sparse = folder_ / "sparse";
  const int from = ::open(sparse.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::ftruncate(from, off_t{200} << 20), 0);
  std::vector<int64_t> told;
  {
    const ProgressWatch watch([&](std::span<const Progress> phases) {
      if (phases.empty()) return told.push_back(0);
      EXPECT_EQ(phases[0].phase, "writing " + std::string(folder_ / "out"));
      EXPECT_EQ(phases[0].total, 123);
      told.push_back(phases[0].done);
    });
    AtomicFile file(folder_ / "out", Durability::kNone);
    file.expect(123);
    file.write("small");
    for (const off_t at : {0, 100})
      file.copy_from(from, static_cast<uint64_t>(at) << 20, 100 << 20);
    file.commit();
    AtomicFile small(folder_ / "out", Durability::kNone);
    small.write("small");
    small.commit();
  }
  AtomicFile unwatched(folder_ / "unwatched", Durability::kNone);
  unwatched.copy_from(from, 0, 200 << 20);
  ::close(from);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 0) << "it is in place";
  told.pop_back();
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), (int64_t{200} << 20) + 5);
}

TEST_F(CopyFromTest, CopiesIntoPipes) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents_of(pipe); });
  {
    AtomicFile file(pipe);
    file.write("head");
    file.copy_from(fd_, 1, 399'999);
    file.commit();
  }
  reader.join();
  EXPECT_EQ(received, "head" + source_.substr(1));
}

TEST_F(CopyFromTest, CopiesIntoAppendingDescriptors) {
  // The kernel's own ways of copying all refuse these.
  const int log = ::open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  AtomicFile file("/dev/fd/" + std::to_string(log));
  file.copy_from(fd_, 0, 300'000);
  file.commit();
  ::close(log);
  EXPECT_EQ(contents_of(folder_ / "log"), source_.substr(0, 300'000));
}

TEST_F(CopyFromTest, AShortSourceIsAnError) {
  const std::string message = message_of([&] {
    AtomicFile file(folder_ / "out");
    file.copy_from(fd_, 399'990, 30);
    file.commit();
  });
  EXPECT_EQ(message, "cannot copy 20 bytes to '" + folder_ / "out" +
                         "': the source ends 20 bytes too early");
  EXPECT_THAT(folder_.names(), ElementsAre("source"));
}

}  // namespace
}  // namespace polygraphy
