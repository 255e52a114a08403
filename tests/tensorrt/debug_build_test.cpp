// `debug build`.
#include <cstdlib>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

TEST_F(TensorRt, BuildsUntilAnEngineIsWrong) {
  fail("nan-on-second-build");
  const std::string builds = folder_.path() + "/builds";
  setenv("PG_TENSORRT_DOUBLE_BUILDS", builds.c_str(), 1);
  const std::string engine = folder_.path() + "/debug.engine";
  const Outcome seen =
      run({"debug", "build", model(kSum), "--until", "bad", "--iter-artifact", engine, "--check",
           PG_POLYGRAPHY, "run", engine, "--trt", "--validate", "--trt-lib", double_of("10"),
           "--trt-driver", PG_DOUBLES "/libcuda.so.1"});
  unsetenv("PG_TENSORRT_DOUBLE_BUILDS");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Finished 2 iteration(s) | Passed: 1/2"),
                              Not(HasSubstr("debug replay"))))
      << seen.err;
}

TEST_F(TensorRt, ABuildThatFailsIsARoundThatFails) {
  fail("no-kernel");
  const Outcome seen = run({"debug", "build", model(kSum), "--until", "2", "--check", "true"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Failed to create network or engine, continuing to the "
                                        "next iteration."),
                              HasSubstr("Finished 2 iteration(s) | Passed: 0/2"),
                              Not(HasSubstr("Could not clean up"))));
}

}  // namespace
}  // namespace polygraphy::cli
