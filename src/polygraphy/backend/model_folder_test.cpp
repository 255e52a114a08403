#include "polygraphy/backend/model_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "polygraphy/backend/testdata/fixtures.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

TEST(ModelFolder, HoldsTheModelAndLinksToItsData) {
  const TemporaryFolder source, parent;
  write(source, "w.bin", "weights");
  write(source, "deep/er/v.bin", "more");
  std::string folder;
  {
    const ModelFolder made(
        "model bytes", {{source.path(), "w.bin"}, {source.path(), "deep/er/v.bin"}}, parent.path());
    folder = made.folder();
    EXPECT_EQ(contents_of(made.model_path()), "model bytes");
    EXPECT_EQ(contents_of(folder + "/w.bin"), "weights");
    EXPECT_EQ(contents_of(folder + "/deep/er/v.bin"), "more");
    EXPECT_TRUE(fs::is_symlink(folder + "/w.bin"));
  }
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(fs::exists(source.path() + "/w.bin"));
  EXPECT_TRUE(fs::exists(source.path() + "/deep/er/v.bin"));
}

TEST(ModelFolder, LocationsThatLeaveTheFolderAreRefusedAndNothingStays) {
  const TemporaryFolder source, parent;
  for (const char* location : {"../w.bin", "/etc/passwd", "a/../../w.bin", ""}) {
    EXPECT_THROW(ModelFolder("m", {{source.path(), location}}, parent.path()), IoError) << location;
  }
  EXPECT_TRUE(fs::is_empty(parent.path()));
}

TEST(ModelFolder, AParentThatIsNotThereIsAnError) {
  EXPECT_THROW(ModelFolder("m", {}, "/nowhere"), IoError);
}

}  // namespace
}  // namespace polygraphy
