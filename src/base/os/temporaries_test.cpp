#include "base/os/temporaries.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/os/atomic_file.h"
#include "base/os/scratch_folder.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

void make_tree(const std::string& root) {
  std::filesystem::create_directories(root + "/a/b");
  put(root + "/one", "1");
  put(root + "/a/b/two", "2");
}

void age(const std::string& path) {
  const timespec times[] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                            {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(Temporaries, ASignalHandlerRemovesFoldersWithAllThatIsInThem) {
  const TemporaryFolder folder;
  make_tree(folder / "work");
  make_tree(folder / "others");
  // Only the link goes.
  std::filesystem::create_directory_symlink("../others", folder / "work/link");
  {
    const NotedTemporary noted(folder / "work");
    remove_temporary_files();
  }
  EXPECT_THAT(folder.names(), ElementsAre("others"));
  EXPECT_EQ(contents_of(folder / "others/a/b/two"), "2");
}

TEST(Temporaries, WhatIsNotNotedAnyMoreStays) {
  const TemporaryFolder folder;
  put(folder / "file", "x");
  {
    const NotedTemporary noted(folder / "file");
  }
  remove_temporary_files();
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(Temporaries, LeftOverFoldersAreThoseThatNobodyHasLocked) {
  const TemporaryFolder folder;
  for (const std::string name :
       {".work-a0123456789", ".work-b0123456789", ".work-c0123456789", "work-d0123456789"}) {
    make_tree(folder / name);
    if (name != ".work-c0123456789") age(folder / name);
  }
  const int fd = ::open((folder / ".work-b0123456789").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(fd, 0);
  lock_temporary(fd);
  remove_left_overs(folder.path(), ".work-", "", LeftOver::kFolder);
  EXPECT_THAT(folder.names(),
              ElementsAre(".work-b0123456789", ".work-c0123456789", "work-d0123456789"));
  ::close(fd);
  remove_left_overs(folder.path(), ".work-", "", LeftOver::kFolder);
  EXPECT_THAT(folder.names(), ElementsAre(".work-c0123456789", "work-d0123456789"));
}

TEST(Temporaries, AScratchFolderGoesWithItsObjectAndTakesLeftOversWithIt) {
  const TemporaryFolder folder;
  make_tree(folder / ".work-k123456789");
  age(folder / ".work-k123456789");
  {
    const ScratchFolder scratch(folder / ".work-");
    make_tree(scratch / "below");
    EXPECT_EQ(folder.names().size(), 1u);
    age(scratch.path());
    const ScratchFolder other(folder / ".work-");
    EXPECT_EQ(folder.names().size(), 2u);
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(Temporaries, ASignalHandlerRemovesScratchFolders) {
  const TemporaryFolder folder;
  const ScratchFolder scratch(folder / ".work-");
  make_tree(scratch / "below");
  remove_temporary_files();
  EXPECT_TRUE(folder.names().empty());
}

TEST(Temporaries, NamesAreNew) {
  EXPECT_NE(unused_name("stem-"), unused_name("stem-"));
}

}  // namespace
}  // namespace polygraphy
