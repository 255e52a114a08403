// `template trt-network` and `template trt-config`: scripts of the options that each takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

TEST(Template, OptionsThatACommandLacksAreNotGiven) {
  TemporaryFolder folder;
  folder.write("m.onnx", identity_model());
  const World there{.root = folder.path()};
  const Outcome network =
      run_in_process({"template", "trt-network", "m.onnx", "-o", "network.py"}, there);
  EXPECT_EQ(network.code, 0) << network.err;
  EXPECT_THAT(folder.read("network.py"), HasSubstr("def load_network("));
  const Outcome config = run_in_process({"template", "trt-config", "--fp16", "-o", "c.py"}, there);
  EXPECT_EQ(config.code, 0) << config.err;
  EXPECT_THAT(folder.read("c.py"), HasSubstr("fp16=True"));
}

TEST(Template, ShapesNeedNoModel) {
  TemporaryFolder folder;
  const Outcome config =
      run_in_process({"template", "trt-config", "--input-shapes", "x:[1,3]", "-o", "c.py"},
                     {.root = folder.path()});
  EXPECT_EQ(config.code, 0) << config.err;
  EXPECT_THAT(folder.read("c.py"), HasSubstr("Profile().add('x', min=[1, 3]"));
}

TEST(Template, ScriptsOfNetworksAreNamedByWholePaths) {
  TemporaryFolder folder;
  folder.write("net.py", "def f(): pass\n");
  run_in_process({"template", "trt-network", "net.py:f", "-o", "network.py"},
                 {.root = folder.path()});
  EXPECT_THAT(folder.read("network.py"), HasSubstr(folder.path() + "/net.py"));
}

TEST(GeneratedScript, AveragesAreCheckedAsInRuns) {
  TemporaryFolder folder;
  folder.write("m.onnx", identity_model());
  const Outcome outcome = run_in_process(
      {"run", "m.onnx", "--onnxrt", "--onnxrt", "--check-average", "--gen-script", "s.py"},
      {.root = folder.path()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("check_error_stat='elemwise'"));
}

// Errors are those of `run`, and no script is written.
TEST(Template, RangesAreChecked) {
  TemporaryFolder folder;
  const auto refused = [&](const std::string& range) {
    return run_in_process({"template", "trt-config", "--int8", "--val-range", range, "-o", "c.py"},
                          {.root = folder.path()});
  };
  EXPECT_THAT(refused("x:[a,b]").err, HasSubstr("could not be parsed as a number"));
  EXPECT_THAT(refused("x:[1,2,3]").err, HasSubstr("expected to receive exactly 2 values"));
  EXPECT_EQ(refused("x:[1]").code, 1);
}

}  // namespace
}  // namespace polygraphy::cli
