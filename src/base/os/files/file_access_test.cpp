#include "base/os/files/file_access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/os/files/file_status.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using Kind = FileStatus::Kind;

class FileAccessTest : public testing::Test {
 protected:
  mode_t mode_of(const std::string& path) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }

  TemporaryFolder folder_;
  const std::string file_ = folder_ / "file", link_ = folder_ / "link", dangling_ = folder_ / "no";
};

TEST_F(FileAccessTest, DistinguishesKinds) {
  put(file_, "12345");
  std::filesystem::create_symlink("file", link_);
  std::filesystem::create_symlink("missing", dangling_);
  EXPECT_EQ(file_status(file_)->kind, Kind::kFile);
  EXPECT_EQ(file_status(file_)->bytes, 5u);
  EXPECT_EQ(file_status(file_)->owner, ::geteuid());
  EXPECT_EQ(file_status(folder_.path())->kind, Kind::kFolder);
  EXPECT_EQ(file_status("/dev/null")->kind, Kind::kOther);
  EXPECT_EQ(link_status(link_)->kind, Kind::kLink);
  EXPECT_EQ(file_status(link_)->identity, file_status(file_)->identity);
  EXPECT_NE(link_status(link_)->identity, file_status(file_)->identity);
  EXPECT_TRUE(link_status(dangling_));
  EXPECT_FALSE(file_status(dangling_));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(is_there(dangling_));
  EXPECT_TRUE(is_there(link_));
}

TEST_F(FileAccessTest, SeesThatOthersMayWrite) {
  put(file_, "");
  ASSERT_EQ(::chmod(file_.c_str(), 0644), 0);
  EXPECT_FALSE(file_status(file_)->others_may_write);
  for (const mode_t mode : {0664, 0646}) {
    ASSERT_EQ(::chmod(file_.c_str(), mode), 0);
    EXPECT_TRUE(file_status(file_)->others_may_write);
  }
}

TEST_F(FileAccessTest, ReadersMayRun) {
  put(file_, "");
  ASSERT_EQ(::chmod(file_.c_str(), 0640), 0);
  EXPECT_FALSE(is_executable(file_));
  EXPECT_TRUE(make_executable(file_));
  EXPECT_EQ(mode_of(file_), 0750u);
  EXPECT_TRUE(is_executable(file_));
  EXPECT_FALSE(make_executable(dangling_));
}

TEST_F(FileAccessTest, SaysWhyItCannotRead) {
  put(file_, "");
  EXPECT_TRUE(is_readable(file_));
  EXPECT_FALSE(is_readable(file_ + "/below"));
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_FALSE(is_readable(dangling_));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(FileAccessTest, FollowsLinksToTheRealPath) {
  put(file_, "");
  std::filesystem::create_symlink("file", link_);
  EXPECT_EQ(real_path(folder_ / "./link"), std::filesystem::canonical(file_).string());
  EXPECT_EQ(real_path(""), std::filesystem::current_path().string());
  EXPECT_EQ(real_path(folder_ / "missing"), "");
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(FileAccessTest, RemovesFilesOnly) {
  put(file_, "");
  std::filesystem::create_directory(folder_ / "sub");
  EXPECT_TRUE(remove_file(file_));
  EXPECT_FALSE(remove_file(file_));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(remove_file(folder_ / "sub"));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"sub"});
}

TEST_F(FileAccessTest, NamesAllButTheFolderItself) {
  for (const char* name : {"b", ".hidden", "a"}) put(folder_ / name, "");
  auto names = *names_in_folder(folder_.path());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{".hidden", "a", "b"}));
  EXPECT_EQ(names_in_folder(folder_ / "a"), std::nullopt);
  EXPECT_EQ(errno, ENOTDIR);
}

TEST_F(FileAccessTest, AFolderIsPrivateFromTheBeginning) {
  EXPECT_TRUE(make_private_folder(folder_ / "own"));
  EXPECT_EQ(mode_of(folder_ / "own"), 0700u);
  EXPECT_TRUE(make_private_folder(folder_ / "own"));
  EXPECT_FALSE(make_private_folder(folder_ / "missing/own"));
}

}  // namespace
}  // namespace polygraphy
