#include "polygraphy/runtimes/backend/bundled_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(BundledRuntime, IsThatOfTheUserWhereNoneWasBrought) {
  const TemporaryFolder folder;
  PluginPaths paths;
  paths.site_packages = {"/env/site-packages"};
  paths.bundled = {folder / "engines"};
  EXPECT_THAT(bundled_only(paths).site_packages, ElementsAre("/env/site-packages"));
  std::filesystem::create_directory(folder / "engines");
  EXPECT_THAT(bundled_only(paths).site_packages, IsEmpty());
}

}  // namespace
}  // namespace polygraphy
