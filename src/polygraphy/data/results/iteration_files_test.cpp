#include "polygraphy/data/results/iteration_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(ListFolder, IsInNaturalOrderWithoutHiddenThings) {
  const TemporaryFolder folder;
  for (const char* name : {"b", "a10", "a2", "a", "a02", "a2b", "1", "10", "9", ".hidden"})
    put(folder / name, "");
  for (const char* name : {"sample10", "sample9", ".git"})
    std::filesystem::create_directory(folder / name);
  const Folder listed = list_folder(folder.path());
  std::vector<std::string> files;
  for (const char* name : {"1", "9", "10", "a", "a02", "a2", "a2b", "a10", "b"})
    files.push_back(folder / name);
  EXPECT_EQ(listed.files, files);
  EXPECT_THAT(listed.folders, ElementsAre(folder / "sample9", folder / "sample10"));
  EXPECT_EQ(list_folder(folder.path() + "/").files, files);
}

TEST(ListFolder, LeavesOutPipes) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.json").c_str(), 0600), 0);
  put(folder / "file.json", "");
  EXPECT_THAT(list_folder(folder.path()).files, ElementsAre(folder / "file.json"));
  EXPECT_THAT(list_iteration_files(folder.path()), ElementsAre(folder / "file.json"));
}

TEST(ListFolder, WhatCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(list_folder(folder / "missing"), IoError);
}

}  // namespace
}  // namespace polygraphy
