#include "base/os/writable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "base/error.h"
#include "base/os/testdata/io_message.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WritableTest : public testing::Test {
 protected:
  std::string of_file(const std::string& name) {
    return message_of([&] { check_file_writable(folder_ / name); });
  }
  std::string of_folder(const std::string& name) {
    return message_of([&] { check_folder_writable(folder_ / name); });
  }

  TemporaryFolder folder_;
};

TEST_F(WritableTest, LeavesNothingBehind) {
  EXPECT_EQ(of_file("new"), "nothing was thrown");
  EXPECT_EQ(of_file("a/b/new"), "nothing was thrown");
  EXPECT_EQ(of_folder("a/b"), "nothing was thrown");
  EXPECT_THAT(folder_.names(), IsEmpty());
  put(folder_ / "old", "old");
  EXPECT_EQ(of_file("old"), "nothing was thrown");
  EXPECT_EQ(contents_of(folder_ / "old"), "old");
}

TEST_F(WritableTest, AFileIsNoFolderAndAFolderNoFile) {
  put(folder_ / "file", "");
  EXPECT_EQ(of_file(""), "cannot write '" + folder_ / "" + "': Is a directory");
  EXPECT_EQ(of_file("file/new"), "cannot write '" + folder_ / "file/new" +
                                     "': cannot create a folder in '" + folder_ / "file" +
                                     "': Not a directory");
  EXPECT_EQ(of_folder("file"), "cannot write '" + folder_ / "file" +
                                   "': cannot create a folder in '" + folder_ / "file" +
                                   "': Not a directory");
}

TEST_F(WritableTest, PermissionsCount) {
  put(folder_ / "mine", "mine");
  ::chmod((folder_ / "mine").c_str(), 0444);
  ::chmod(folder_.path().c_str(), 0555);
  const WithoutRoot nobody;
  EXPECT_EQ(of_file("mine"), "cannot write '" + folder_ / "mine" + "': Permission denied");
  EXPECT_EQ(of_file("new"), "cannot write '" + folder_ / "new" +
                                "': cannot create a file in the folder '" + folder_.path() +
                                "': Permission denied");
  EXPECT_EQ(of_folder("."), "cannot write '" + folder_ / "." +
                                "': cannot create a file in the folder '" + folder_ / "." +
                                "': Permission denied");
  EXPECT_EQ(of_file("a/new"), "cannot write '" + folder_ / "a/new" +
                                  "': cannot create a folder in '" + folder_.path() +
                                  "': Permission denied");
}

TEST_F(WritableTest, PipesAndTerminalsAreNotTouched) {
  // Opening it would wait for a reader.
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(of_file("pipe"), "nothing was thrown");
  check_file_writable("-");
  check_file_writable("/dev/stdout");
}

TEST_F(WritableTest, WhatADanglingLinkNamesIsNotMade) {
  std::filesystem::create_symlink("missing", folder_ / "link");
  EXPECT_EQ(of_file("link"), "nothing was thrown");
  EXPECT_THAT(folder_.names(), ElementsAre("link"));
}

TEST_F(WritableTest, DefaultOutputsAreNoLinks) {
  refuse_link(folder_ / "missing");
  put(folder_ / "file", "x");
  refuse_link(folder_ / "file");
  for (const char* target : {"file", "missing", "."}) {
    std::filesystem::remove(folder_ / "link");
    std::filesystem::create_symlink(target, folder_ / "link");
    EXPECT_THROW(refuse_link(folder_ / "link"), IoError) << target;
  }
}

}  // namespace
}  // namespace polygraphy
