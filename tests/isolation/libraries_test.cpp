// A library per runner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../cli/in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kLibrary = PG_DEPS_DIR "/ort/lib/libonnxruntime.so";

class LibrariesTest : public testing::Test {
 protected:
  LibrariesTest() : model_(folder_.write("m.onnx", identity_model())) {}

  Outcome run(const std::vector<std::string>& options) {
    std::vector<std::string> args = {"run", model_, "-v"};
    args.insert(args.end(), options.begin(), options.end());
    return run_in_process(args);
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(LibrariesTest, OneLibraryIsForAllRunners) {
  const Outcome outcome = run({"--onnxrt", "--onnxrt", "--onnxrt-lib", kLibrary});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("onnxrt-runner-N1-"));
}

TEST_F(LibrariesTest, SeveralAreForTheRunnersInFrontOfThemWhoseNamesTellTheVersion) {
  const Outcome outcome = run({"--onnxrt", "--onnxrt-lib", kLibrary, "--onnxrt", "--onnxrt",
                               "--onnxrt-lib", PG_DEPS_DIR "/ort/lib/libonnxruntime.so.1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("onnxrt-runner-1\\.[0-9.]+-N0-"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("onnxrt-runner-1\\.[0-9.]+-N1-"));
  EXPECT_THAT(outcome.out, HasSubstr("onnxrt-runner-N0-"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("a process of its own")));
}

TEST_F(LibrariesTest, OneInFrontOfAllRunnersIsOfNone) {
  const Outcome outcome = run({"--onnxrt-lib", kLibrary, "--onnxrt", "--onnxrt-lib", kLibrary});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("libonnxruntime.so has no runner before it"));
}

TEST_F(LibrariesTest, TwoOpenVinosGetProcessesOfTheirOwn) {
  const Outcome outcome =
      run({"--openvino", "--openvino-lib", "a.so", "--openvino", "--openvino-lib", "b.so"});
  EXPECT_THAT(outcome.out, HasSubstr("Running each runner in a separate process: two versions of "
                                     "OpenVINO in one process would share the TBB"));
}

}  // namespace
}  // namespace polygraphy::cli
