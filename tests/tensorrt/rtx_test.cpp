// The builder and parser of the real TensorRT-RTX, which set-up brings for CI.
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

class RealRtx : public TensorRt {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(PG_RTX_LIBRARY))
      GTEST_SKIP() << "no TensorRT-RTX: scripts/setup.sh ci brings it";
  }
  Outcome run_real(std::vector<std::string> args) const {
    args.insert(args.end(), {"--trt-lib", PG_RTX_LIBRARY});
    return run_in_process(args, {.root = folder_.path()});
  }
};

constexpr const char* kMagika = PG_MODELS "/magika.onnx";

TEST_F(RealRtx, BuildsTheSameEngineTwice) {
  const Outcome first = run_real({"convert", kMagika, "-o", "a.engine"});
  ASSERT_EQ(first.code, 0) << first.err;
  ASSERT_EQ(run_real({"convert", kMagika, "-o", "b.engine"}).code, 0);
  const std::string engine = folder_.read("a.engine");
  EXPECT_GT(engine.size(), size_t{1} << 20);
  EXPECT_TRUE(engine == folder_.read("b.engine"));
}

TEST_F(RealRtx, TakesWholeModels) {
  const Outcome seen = run_real({"inspect", "capability", kMagika});
  EXPECT_THAT(seen.out, HasSubstr("Graph is fully supported by TensorRT"));
}

TEST_F(RealRtx, ShowsItsNetwork) {
  const Outcome seen = run_real({"inspect", "model", kMagika, "--display-as", "trt"});
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Explicit Batch Strongly Typed Network"),
                              HasSubstr("{bytes [dtype=int32, shape=(-1, 2048)]}"),
                              HasSubstr("Layer(s) ----")));
}

// The builder takes models in float16 with nodes in float32; the check wants some.
TEST_F(RealRtx, BuildsModelsInTwoPrecisions) {
  const std::string path = folder_.path() + "/";
  const Outcome seen =
      run_real({"debug", "precision", kMagika, "--iter-artifact", path + "debug.engine",
                "--save-debug-replay", "", "-o", "mixed.onnx", "--check",
                "test -e " + path + "seen || { touch " + path + "seen; exit 1; }"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("keep 1 of 78 nodes in float32:"),
                              Not(HasSubstr("Failed to create network or engine"))));
  EXPECT_EQ(run_real({"convert", "mixed.onnx", "-o", "mixed.engine"}).code, 0);
}

TEST_F(RealRtx, EnginesAreNoOnnxModels) {
  ASSERT_EQ(run_real({"convert", kMagika, "-o", "a.engine"}).code, 0);
  EXPECT_THAT(run_real({"inspect", "model", "a.engine", "--model-type", "onnx"}).err,
              HasSubstr("it is a TensorRT-RTX engine"));
}

TEST_F(RealRtx, SaysWhatAnEngineForThisGpuNeeds) {
  if (std::filesystem::exists("/proc/driver/nvidia")) GTEST_SKIP() << "there is a driver";
  const Outcome seen = run_real({"convert", kMagika, "-o", "a.engine", "--use-gpu"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("cudaError 35"), HasSubstr("Install NVIDIA's driver.")));
}

TEST_F(RealRtx, APlatformThatItRefusesIsAnError) {
  const Outcome seen =
      run_real({"convert", kMagika, "-o", "a.engine", "--runtime-platform", "windows_amd64"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("--runtime-platform windows_amd64: the library refuses"));
}

TEST_F(RealRtx, RefusesWhatItLacks) {
  const Outcome seen = run_real({"convert", kMagika, "-o", "a.engine", "--fp16"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("--fp16 is not available with TensorRT-RTX 1.7.1"));
}

}  // namespace
}  // namespace polygraphy::cli
