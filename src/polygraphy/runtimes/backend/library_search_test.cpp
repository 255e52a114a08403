#include "polygraphy/runtimes/backend/library_search.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/os/testdata/temporary_folder.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

const char* const kPatterns[] = {"engine/lib/libengine.so*", nullptr};
const char* const kSonames[] = {"libengine.so.1", nullptr};

pgb_backend_options engine() {
  pgb_backend_options options{};
  options.struct_size = sizeof(options);
  options.name = "engine";
  options.site_packages_patterns = kPatterns;
  options.sonames = kSonames;
  return options;
}

TEST(LibraryCandidates, PythonEnvironmentThenBundledThenSystem) {
  const TemporaryFolder folder;
  const std::string wheel = write(folder, "site/engine/lib/libengine.so.1.2.3", "");
  const std::string brought = write(folder, "deps/engine/lib/libengine.so.1.1", "");
  write(folder, "site/engine/lib/libengine_extra.so", "");
  EXPECT_THAT(library_candidates(engine(), {.site_packages = {folder.path() + "/site"},
                                            .bundled = {folder.path() + "/deps"}}),
              ElementsAre(wheel, brought, "libengine.so.1"));
}

TEST(LibraryCandidates, AFileUnderSeveralNamesCountsOnce) {
  const TemporaryFolder folder;
  const std::string file = write(folder, "deps/e/libs/libengine.so.1.1", "");
  std::filesystem::create_symlink("libengine.so.1.1", folder.path() + "/deps/e/libs/libengine.so");
  EXPECT_THAT(library_candidates(engine(), {.bundled = {folder.path() + "/deps"}}),
              ElementsAre(folder.path() + "/deps/e/libs/libengine.so", "libengine.so.1"));
}

TEST(LibraryCandidates, TheFolderItselfCanBeNamed) {
  const TemporaryFolder folder;
  const std::string file = write(folder, "libengine.so.7", "");
  EXPECT_THAT(library_candidates(engine(), {.bundled = {folder.path()}}),
              ElementsAre(file, "libengine.so.1"));
}

TEST(LibraryCandidates, FoldersThatAreNotThereAndDanglingLinksAreNothing) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("gone", folder.path() + "/libengine.so");
  EXPECT_THAT(library_candidates(engine(), {.site_packages = {"/nowhere"},
                                            .bundled = {folder.path(), "/nowhere"}}),
              ElementsAre("libengine.so.1"));
}

TEST(LibraryCandidates, FolderNamesAreNoPatterns) {
  const TemporaryFolder folder;
  const std::string wheel = write(folder, "[s]*te/engine/lib/libengine.so", "");
  EXPECT_THAT(library_candidates(engine(), {.site_packages = {folder.path() + "/[s]*te"}}),
              ElementsAre(wheel, "libengine.so.1"));
}

}  // namespace
}  // namespace polygraphy
