#include "base/os/atomic_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/os/protected_files.h"
#include "base/os/temporaries.h"
#include "base/os/testdata/io_message.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

mode_t mode_of(const std::string& path) {
  struct stat info{};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

class AtomicFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(AtomicFileTest, AppearsWholeAtCommit) {
  const std::string path = folder_ / "out.onnx";
  AtomicFile file(path);
  file.write("hello ");
  file.write("world");
  EXPECT_EQ(file.position(), 11u);
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(contents_of(path), "hello world");
  EXPECT_THAT(folder_.names(), ElementsAre("out.onnx"));
}

// However the process ends, a file without a name is gone with it.
TEST_F(AtomicFileTest, UntilCommitThereIsNoNameInTheFolder) {
  const int probe = ::open(folder_.path().c_str(), O_TMPFILE | O_RDWR, 0600);
  if (probe < 0) GTEST_SKIP() << "a file system without O_TMPFILE";
  ::close(probe);
  put(folder_ / "old", "old");
  AtomicFile made(folder_ / "new"), replaced(folder_ / "old");
  made.write(std::string(1'000'000, 'x'));
  replaced.write(std::string(1'000'000, 'x'));
  EXPECT_THAT(folder_.names(), ElementsAre("old"));
  EXPECT_EQ(contents_of(folder_ / "old"), "old");
  made.commit();
  replaced.commit();
  EXPECT_THAT(folder_.names(), ElementsAre("new", "old"));
  EXPECT_EQ(contents_of(folder_ / "old"), std::string(1'000'000, 'x'));
}

TEST_F(AtomicFileTest, AFileThatAppearsMeanwhileIsReplaced) {
  AtomicFile file(folder_ / "out");
  file.write("ours");
  put(folder_ / "out", "of another process");
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"), "ours");
  EXPECT_THAT(folder_.names(), ElementsAre("out"));
}

TEST_F(AtomicFileTest, WhatIsReadIsNotReplaced) {
  put(folder_ / "model.onnx", "model");
  std::filesystem::create_symlink("model.onnx", folder_ / "link");
  std::filesystem::create_hard_link(folder_ / "model.onnx", folder_ / "other");
  {
    const ProtectedFiles read({*identity_of(folder_ / "model.onnx")});
    for (const std::string name : {"model.onnx", "link", "other"}) {
      EXPECT_EQ(message_of([&] { AtomicFile(folder_ / name); }),
                "cannot write '" + folder_ / name + "': it is one of the input files");
    }
    write_file(folder_ / "out", "x");
  }
  write_file(folder_ / "link", "new");
  EXPECT_EQ(contents_of(folder_ / "model.onnx"), "new");
  EXPECT_EQ(contents_of(folder_ / "other"), "model");
}

// `task merge` runs the command of its plan, which reads files, too.
TEST_F(AtomicFileTest, ACommandWithinAnotherProtectsItsFilesToo) {
  put(folder_ / "plan", "plan");
  put(folder_ / "model", "model");
  const ProtectedFiles outer({*identity_of(folder_ / "plan")});
  {
    const ProtectedFiles inner({*identity_of(folder_ / "model")});
    EXPECT_TRUE(is_protected(*identity_of(folder_ / "plan")));
    EXPECT_TRUE(is_protected(*identity_of(folder_ / "model")));
  }
  EXPECT_TRUE(is_protected(*identity_of(folder_ / "plan")));
  EXPECT_FALSE(is_protected(*identity_of(folder_ / "model")));
}

TEST_F(AtomicFileTest, WhatCannotBeGivenANameIsCopied) {
  const std::string path = folder_ / "out";
  put(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  pretend_lack(FileSystemLacks::kNamesForThem);
  const std::string contents(1'000'000, 'x');
  write_file(path, contents);
  write_file(folder_ / "new", "hello");
  pretend_lack(FileSystemLacks::kNothing);
  EXPECT_EQ(contents_of(path), contents);
  EXPECT_EQ(contents_of(folder_ / "new"), "hello");
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_THAT(folder_.names(), ElementsAre("new", "out"));
}

TEST_F(AtomicFileTest, WhatIsReservedForALargeFileIsGivenBack) {
  const std::string path = folder_ / "out";
  const std::string contents(20'000'000, 'x');
  AtomicFile file(path);
  file.write("head");
  for (size_t at = 0; at < contents.size(); at += 100'000) file.write(contents.substr(at, 100'000));
  file.commit();
  EXPECT_EQ(contents_of(path), "head" + contents);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_LT(info.st_blocks * 512, 20'200'000);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileStays) {
  const std::string path = folder_ / "out.json";
  put(path, "old");
  {
    AtomicFile file(path);
    file.write(std::string(1'000'000, 'x'));
    EXPECT_EQ(contents_of(path), "old");
  }
  EXPECT_EQ(contents_of(path), "old");
  EXPECT_THAT(folder_.names(), ElementsAre("out.json"));
}

TEST_F(AtomicFileTest, WritesSmallAndLargePiecesInOrder) {
  std::string expected;
  AtomicFile file(folder_ / "out", Durability::kNone);
  for (int i = 0; i < 2000; ++i) {
    const std::string piece(static_cast<size_t>(i * i % 5003), static_cast<char>('a' + i % 26));
    expected += piece;
    file.write(piece);
    EXPECT_EQ(file.position(), expected.size());
  }
  const std::string large(3'000'000, 'L');
  file.write(large);
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"), expected + large);
}

TEST_F(AtomicFileTest, NewFilesGetTheUsualMode) {
  const mode_t old = ::umask(027);
  write_file(folder_ / "out", "x");
  ::umask(old);
  EXPECT_EQ(mode_of(folder_ / "out"), 0640u);
}

TEST_F(AtomicFileTest, ReplacedFilesKeepTheirMode) {
  put(folder_ / "out", "old");
  ::chmod((folder_ / "out").c_str(), 0604);
  write_file(folder_ / "out", "new");
  EXPECT_EQ(contents_of(folder_ / "out"), "new");
  EXPECT_EQ(mode_of(folder_ / "out"), 0604u);
}

TEST_F(AtomicFileTest, MakesTheFoldersAbove) {
  const std::string path = folder_ / "a/b/c/out";
  write_file(path, "x");
  EXPECT_EQ(contents_of(path), "x");
  const auto strict = [&] { AtomicFile(folder_ / "d/out", Durability::kNone, false); };
  EXPECT_EQ(message_of(strict),
            "cannot write '" + folder_ / "d/out" + "': No such file or directory");
}

TEST_F(AtomicFileTest, SymbolicLinksStayAndTheirTargetIsReplaced) {
  std::filesystem::create_directory(folder_ / "elsewhere");
  put(folder_ / "elsewhere/real", "old");
  std::filesystem::create_symlink("elsewhere/link", folder_ / "link");
  std::filesystem::create_symlink("real", folder_ / "elsewhere/link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "elsewhere/link"));
  EXPECT_EQ(contents_of(folder_ / "elsewhere/real"), "new");
}

TEST_F(AtomicFileTest, ADanglingLinkGetsItsTarget) {
  std::filesystem::create_symlink("missing", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents_of(folder_ / "missing"), "new");
}

TEST_F(AtomicFileTest, LinksInACircleAreAnError) {
  std::filesystem::create_symlink("b", folder_ / "a");
  std::filesystem::create_symlink("a", folder_ / "b");
  EXPECT_EQ(message_of([&] { AtomicFile(folder_ / "a"); }),
            "cannot write '" + folder_ / "a" + "': Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, FoldersAndNamelessTargetsAreErrors) {
  EXPECT_EQ(message_of([&] { AtomicFile{folder_.path()}; }),
            "cannot write '" + folder_.path() + "': Is a directory");
  EXPECT_EQ(message_of([&] { AtomicFile(folder_ / "new/"); }),
            "cannot write '" + folder_ / "new/" + "': Is a directory");
  EXPECT_EQ(message_of([&] { AtomicFile(""); }), "cannot write '': No such file or directory");
  put(folder_ / "file", "x");
  EXPECT_EQ(message_of([&] { AtomicFile(folder_ / "file/out"); }),
            "cannot write '" + folder_ / "file/out" + "': Not a directory");
}

TEST_F(AtomicFileTest, AFolderWithoutPermissionIsNamed) {
  ::chmod(folder_.path().c_str(), 0555);
  const WithoutRoot nobody;
  EXPECT_EQ(message_of([&] { AtomicFile(folder_ / "out"); }),
            "cannot write '" + folder_ / "out" + "': cannot create a file in the folder '" +
                folder_.path() + "': Permission denied");
}

TEST_F(AtomicFileTest, AProtectedFileIsNotReplaced) {
  put(folder_ / "out", "old");
  ::chmod(folder_.path().c_str(), 0777);
  ::chmod((folder_ / "out").c_str(), 0444);
  {
    const WithoutRoot nobody;
    EXPECT_EQ(message_of([&] { AtomicFile(folder_ / "out"); }),
              "cannot write '" + folder_ / "out" + "': Permission denied");
  }
  EXPECT_EQ(contents_of(folder_ / "out"), "old");
}

TEST_F(AtomicFileTest, AFullDeviceIsAnErrorWithAHint) {
  AtomicFile file("/dev/full");
  file.write("does not fit");
  try {
    file.commit();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "cannot write '/dev/full' (after 0 bytes): No space left on device");
    EXPECT_EQ(error.hint(), "Free some space or write to another folder");
  }
}

// Stands for a full disk: the system takes a part of the file and then no more.
TEST_F(AtomicFileTest, AFailedWriteLeavesNothingBehind) {
  put(folder_ / "out", "old");
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 600'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] {
    AtomicFile file(folder_ / "out");
    for (int i = 0; i < 100; ++i) file.write(std::string(10'000, 'x'));
    file.commit();
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(message, "cannot write '" + folder_ / "out" + "' (after 600000 bytes): File too large");
  EXPECT_EQ(contents_of(folder_ / "out"), "old");
  EXPECT_THAT(folder_.names(), ElementsAre("out"));
}

TEST_F(AtomicFileTest, AfterAFailureNothingIsCommitted) {
  AtomicFile file("/dev/full");
  const std::string reason = "cannot write '/dev/full' (after 0 bytes): No space left on device";
  EXPECT_EQ(message_of([&] { file.write(std::string(1'000'000, 'x')); }), reason);
  EXPECT_EQ(message_of([&] { file.write("more"); }), reason);
  EXPECT_EQ(message_of([&] { file.commit(); }), reason);
}

TEST_F(AtomicFileTest, WritesThroughDevicesAndPipes) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents_of(pipe); });
  write_file(pipe, std::string(300'000, 'p'));
  reader.join();
  EXPECT_EQ(received, std::string(300'000, 'p'));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(AtomicFileTest, DashIsStandardOutput) {
  testing::internal::CaptureStdout();
  write_file("-", "to the terminal\n");
  write_file("/dev/stdout", "and again\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to the terminal\nand again\n");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(AtomicFileTest, NumberedDescriptorsAreWrittenWhereTheyStand) {
  const int fd = ::open((folder_ / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "first ", 6), 6);
  write_file("/dev/fd/" + std::to_string(fd), "second");
  EXPECT_EQ(contents_of(folder_ / "log"), "first second");
  ::close(fd);
  EXPECT_EQ(message_of([&] { AtomicFile("/dev/fd/" + std::to_string(fd)); }),
            "cannot write '/dev/fd/" + std::to_string(fd) + "': Bad file descriptor");
}

TEST_F(AtomicFileTest, AlignsWithZeros) {
  AtomicFile file(folder_ / "out");
  file.align(4096);
  EXPECT_EQ(file.position(), 0u);
  file.write("x");
  file.align(16);
  EXPECT_EQ(file.position(), 16u);
  file.align(10'000);
  file.commit();
  EXPECT_EQ(contents_of(folder_ / "out"), "x" + std::string(9'999, '\0'));
}

TEST_F(AtomicFileTest, RoomIsMadeInFrontAndFilled) {
  const std::string path = folder_ / "out.bin";
  std::string body;
  for (int i = 0; i < 3'000'000; ++i) body += static_cast<char>('a' + i % 23);
  AtomicFile file(path);
  EXPECT_TRUE(file.rewritable());
  file.write("head");
  file.write(body);
  file.make_room(4, 100'001);
  EXPECT_EQ(file.position(), 4 + 100'001 + body.size());
  const std::string filling(100'005, '.');
  file.rewrite(0, std::as_bytes(std::span(filling)));
  file.write("tail");
  file.commit();
  EXPECT_TRUE(contents_of(path) == filling + body + "tail");
}

TEST_F(AtomicFileTest, WhatIsWrittenThroughCannotBeRewritten) {
  AtomicFile file("/dev/null");
  EXPECT_FALSE(file.rewritable());
  file.write("x");
  EXPECT_THROW(file.make_room(0, 1), IoError);
}

TEST_F(AtomicFileTest, DescriptorsAreNotInherited) {
  const AtomicFile file(folder_ / "out");
  int inherited = 0;
  for (int fd = 3; fd < 100; ++fd) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
    if (error || !target.string().starts_with(folder_.path())) continue;
    if ((::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) ++inherited;
  }
  EXPECT_EQ(inherited, 0);
}

TEST_F(AtomicFileTest, LongNamesHaveRoomForTheTemporaryOne) {
  const std::string path = folder_ / std::string(255, 'n');
  write_file(path, "x");
  EXPECT_EQ(contents_of(path), "x");
}

}  // namespace
}  // namespace polygraphy
