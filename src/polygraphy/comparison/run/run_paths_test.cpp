#include "polygraphy/comparison/run/run_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

std::string failure(const RunOptions& options, const std::vector<std::string>& loaded = {}) {
  try {
    check_paths(options, loaded);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunPaths, TargetsAreDistinct) {
  RunOptions options;
  options.save_inputs = "a/in.json";
  options.save_outputs = "out.json";
  EXPECT_EQ(failure(options), "no error");
  options.save_outputs = "./a/../a/in.json";
  EXPECT_THAT(failure(options), HasSubstr("resolve to the same path ('a/in.json')"));
}

// Every file in a folder of iterations is read as an iteration.
TEST(RunPaths, NothingElseIsSavedAmongIterations) {
  RunOptions options;
  options.save_inputs = "results/in.json";
  options.save_outputs = "results/";
  EXPECT_THAT(failure(options),
              HasSubstr("The save path 'results/in.json' is inside the save path 'results/'"));
  options.save_outputs = "results/out.json";
  EXPECT_EQ(failure(options), "no error");
  options.save_inputs = "results/";
  EXPECT_THAT(failure(options), HasSubstr("is inside the save path 'results/'"));
  options.save_inputs = "results/inputs/";
  EXPECT_EQ(failure(options), "no error");
}

TEST(RunPaths, NothingThatIsLoadedIsOverwritten) {
  RunOptions options;
  options.save_outputs = "results";
  EXPECT_EQ(failure(options, {"results.json", "other/results"}), "no error");
  EXPECT_THAT(failure(options, {"x", "results/0.json"}),
              HasSubstr("The load path 'results/0.json' overlaps the save path 'results'"));
  RunOptions blobs;
  blobs.save_input_blobs = "folder";
  EXPECT_EQ(failure(blobs, {"folder/in.json"}), "no error");
  EXPECT_THAT(failure(blobs, {"folder"}), HasSubstr("overlaps the save path 'folder'"));
}

}  // namespace
}  // namespace polygraphy
