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

}  // namespace
}  // namespace polygraphy::cli
