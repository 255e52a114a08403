#include "base/os/files/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "base/os/files/open_file.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

std::span<std::byte> bytes_of(std::string& text) {
  return std::as_writable_bytes(std::span(text));
}

struct Pipe {
  FileDescriptor out, in;

  explicit Pipe(int flags = 0) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC | flags), 0);
    out = FileDescriptor(ends[0]);
    in = FileDescriptor(ends[1]);
  }
};

TEST(DescriptorTest, ClosesOnceAndLeavesErrno) {
  Pipe pipe;
  const int fd = pipe.in.get();
  {
    const FileDescriptor taken = std::move(pipe.in);
    EXPECT_FALSE(pipe.in);
    EXPECT_EQ(taken.get(), fd);
    errno = ENOSPC;
  }
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(::fcntl(fd, F_GETFD), -1);
}

TEST(DescriptorTest, AnAssignmentClosesTheOldOne) {
  Pipe pipe;
  const int old = pipe.in.get();
  pipe.in = FileDescriptor(::dup(pipe.out.get()));
  EXPECT_EQ(::fcntl(old, F_GETFD), -1);
  EXPECT_NE(::fcntl(pipe.in.get(), F_GETFD), -1);
}

TEST(DescriptorTest, WritesMoreThanAPipeHolds) {
  Pipe pipe;
  const std::string sent(1 << 20, 'x');
  std::string got;
  std::thread reader([&] {
    std::string block(4096, '\0');
    while (const auto count = read_once(pipe.out.get(), bytes_of(block)))
      got.append(block, 0, *count);
  });
  EXPECT_EQ(write_all(pipe.in.get(), sent), 0);
  pipe.in.close();
  reader.join();
  EXPECT_TRUE(got == sent);
}

TEST(DescriptorTest, AnEmptyPipeIsNotAtItsEnd) {
  Pipe pipe(O_NONBLOCK);
  std::string block(8, '\0');
  EXPECT_EQ(read_once(pipe.out.get(), bytes_of(block)), 0u);
  pipe.in.close();
  EXPECT_EQ(read_once(pipe.out.get(), bytes_of(block)), std::nullopt);
}

TEST(DescriptorTest, ReportsWhyItCannotWrite) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_EQ(write_all(full.get(), "x"), ENOSPC);
  EXPECT_EQ(write_all_at(-1, 0, std::as_bytes(std::span("x", 1))), EBADF);
}

TEST(DescriptorTest, WritesAndReadsAtAnOffset) {
  const TemporaryFolder folder;
  const FileDescriptor file = open_unnamed(folder / ".");
  ASSERT_TRUE(file);
  EXPECT_EQ(write_all_at(file.get(), 3, std::as_bytes(std::span("abc", 3))), 0);
  std::string got(10, '?');
  EXPECT_EQ(read_all_at(file.get(), 0, bytes_of(got)), 6u);
  EXPECT_EQ(got, std::string("\0\0\0abc????", 10));
  EXPECT_TRUE(set_size(file.get(), 4));
  EXPECT_EQ(read_all_at(file.get(), 0, bytes_of(got)), 4u);
}

TEST(DescriptorTest, AppendsToOldContentsOrDropsThem) {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  const auto append = [&](OldContents old, const char* text) {
    EXPECT_EQ(write_all(open_to_append(path, old).get(), text), 0);
    return contents_of(path);
  };
  EXPECT_EQ(append(OldContents::kKeep, "one "), "one ");
  EXPECT_EQ(append(OldContents::kKeep, "two"), "one two");
  EXPECT_EQ(append(OldContents::kDrop, "three"), "three");
  EXPECT_FALSE(open_to_append(folder / "missing/log", OldContents::kKeep));
}

}  // namespace
}  // namespace polygraphy
