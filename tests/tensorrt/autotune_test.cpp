// `plugin autotune` where no runner is selected. The double is as fast with a replacement as
// without it, so the test does not check the choice.
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

class AutotuneOnTensorRt : public TensorRt {
 protected:
  AutotuneOnTensorRt() {
    std::filesystem::create_directories(folder_.path() + "/plugins/p");
    folder_.write("plugins/p/pattern.py", "# finds nothing\n");
    folder_.write("c.yaml", "name: p\nop: Relu\ninstances:\n- inputs: [a]\n  outputs: [y]\n");
  }
  Outcome tune(std::vector<std::string> more, const std::string& set = "10") {
    std::vector<std::string> args = {"plugin",  "autotune",           model(kSum),
                                     "-o",      "out.onnx",           "--plugin-dir",
                                     "plugins", "--load-config-yaml", "c.yaml"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, set);
  }
};

TEST_F(AutotuneOnTensorRt, BuildsEnginesWithOneTimingCache) {
  for (const std::string set : {"10", "11", "rtx"}) {
    const Outcome seen = tune({"--timing-cache", "cache-" + set, "--input-shapes", "x:[1,4]"}, set);
    EXPECT_THAT(seen.out, AllOf(HasSubstr("[I] The unmodified model takes "),
                                HasSubstr(" ms on tensorrt with x:[1,4]\n"),
                                HasSubstr("[I] 1 of 1: p 0 (a -> y) | "), Not(HasSubstr("[W] "))))
        << seen.err;
    EXPECT_GT(std::filesystem::file_size(folder_.path() + "/cache-" + set), 0u);
  }
}

TEST_F(AutotuneOnTensorRt, ANewCacheIsNotMissed) {
  EXPECT_THAT(tune({}).out, Not(HasSubstr("iming cache file")));
}

TEST_F(AutotuneOnTensorRt, LibrariesOfPluginsAreLoaded) {
  folder_.write("plugin.so", "no library");
  const Outcome seen = tune({"--plugin-libraries", "plugin.so"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("plugin.so"));
}

TEST_F(AutotuneOnTensorRt, WhatTheParserRefusesIsNotKept) {
  folder_.write("c.yaml",
                "name: p\nop: NobodyKnowsThis\ninstances:\n- inputs: [a]\n  outputs: [y]\n");
  const Outcome seen = tune({"--no-timing-cache"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("[W] 1 of 1: p 0 (a -> y) is rejected: "));
  EXPECT_THAT(seen.err, HasSubstr("all 1 candidate(s) failed to run on tensorrt"));
}

}  // namespace
}  // namespace polygraphy::cli
