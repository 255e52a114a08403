#include "base/os/paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

TEST(Paths, OfFoldersAndFiles) {
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(folder_of("c"), ".");
  EXPECT_EQ(folder_of("/c"), "/");
  EXPECT_EQ(file_name_of("a/b/c"), "c");
  EXPECT_EQ(file_name_of("c"), "c");
}

TEST(Paths, LinksLeadSomewhereOrHaveNoEnd) {
  const TemporaryFolder folder;
  ASSERT_EQ(::symlink("second", (folder / "first").c_str()), 0);
  ASSERT_EQ(::symlink((folder / "nothing").c_str(), (folder / "second").c_str()), 0);
  EXPECT_EQ(resolve_links(folder / "first"), folder / "nothing");
  EXPECT_EQ(resolve_links(folder / "nothing"), folder / "nothing");
  ASSERT_EQ(::symlink("loop", (folder / "loop").c_str()), 0);
  EXPECT_EQ(resolve_links(folder / "loop"), std::nullopt);
  EXPECT_EQ(errno, ELOOP);
}

}  // namespace
}  // namespace polygraphy
