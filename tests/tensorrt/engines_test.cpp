// Engines built, saved, loaded and run, beside ONNX Runtime.
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

class AllFamilies : public TensorRt, public testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Families, AllFamilies, testing::Values("10", "11", "rtx"),
                         [](const auto& each) { return each.param; });

TEST_P(AllFamilies, RunsBesideOnnxRuntime) {
  const Outcome seen =
      run({"run", model(kSum), "--trt", "--onnxrt", "--input-shapes", "x:[2,4]"}, GetParam());
  EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Building engine with configuration:"),
                              HasSubstr("Finished engine building in"),
                              HasSubstr("All outputs matched | Outputs: ['y']")));
}

TEST_P(AllFamilies, SavedEnginesRunAgain) {
  const std::string name = model(kSum);
  ASSERT_EQ(run({"run", name, "--trt", "--save-engine", "saved.engine", "--save-outputs",
                 "first.json", "--save-inputs", "inputs.json"},
                GetParam())
                .code,
            0);
  const Outcome again = run({"run", "saved.engine", "--trt", "--load-inputs", "inputs.json",
                             "--load-outputs", "first.json"},
                            GetParam());
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_THAT(again.out,
              AllOf(Not(HasSubstr("Building engine")), Not(HasSubstr("Options without effect"))));
  ASSERT_EQ(run({"run", "saved.engine", "--trt", "--save-engine", "copy.engine"}, GetParam()).code,
            0);
  EXPECT_EQ(folder_.read("copy.engine"), folder_.read("saved.engine"));
}

TEST_P(AllFamilies, ConvertWritesTheSameEngine) {
  const std::string name = model(kSum);
  const Outcome seen = run({"convert", name, "-o", "one.plan"}, GetParam());
  ASSERT_EQ(seen.code, 0) << seen.out << seen.err;
  ASSERT_EQ(run({"convert", name, "--convert-to", "trt", "-o", "two"}, GetParam()).code, 0);
  EXPECT_EQ(folder_.read("one.plan"), folder_.read("two"));
}

TEST_F(TensorRt, AnEngineConvertedToAnEngineIsACopy) {
  folder_.write("given.engine", "bytes that nobody reads");
  EXPECT_EQ(run({"convert", "given.engine", "-o", "copy.plan"}).code, 0);
  EXPECT_EQ(folder_.read("copy.plan"), "bytes that nobody reads");
}

TEST_F(TensorRt, Float16IsLessPrecise) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[64] x) => (float[64] y) { a = Exp(x) b = Mul(a, x) y = Sqrt(b) }");
  EXPECT_EQ(run({"run", name, "--trt", "--onnxrt"}).code, 0);
  const Outcome seen = run({"run", name, "--trt", "--onnxrt", "--fp16"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("FAILED | Output: 'y' | Difference exceeds tolerance"));
}

TEST_F(TensorRt, ChosenOutputs) {
  const std::string name = model(kSum);
  const Outcome one = run({"run", name, "--trt", "--trt-outputs", "a", "--save-outputs", "o.json"});
  ASSERT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_THAT(folder_.read("o.json"), AllOf(HasSubstr("\"a\""), Not(HasSubstr("\"y\""))));
  const Outcome all = run({"run", name, "--trt", "--onnxrt", "--trt-outputs", "mark", "all",
                           "--onnx-outputs", "mark", "all"});
  EXPECT_EQ(all.code, 0) << all.out << all.err;
  const Outcome missing = run({"run", name, "--trt", "--trt-outputs", "q"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("The following outputs were not found: ['q']"));
}

TEST_F(TensorRt, DebugTensorsAreOutputs) {
  const Outcome seen =
      run({"run", model(kSum), "--trt", "--mark-debug", "a", "--save-outputs", "o.json"});
  ASSERT_EQ(seen.code, 0) << seen.out << seen.err;
  EXPECT_THAT(folder_.read("o.json"), AllOf(HasSubstr("\"a\""), HasSubstr("\"y\"")));
}

TEST_F(TensorRt, TimingCachesGrow) {
  const std::string name = model(kSum);
  const Outcome made = run({"convert", name, "-o", "a.engine", "--save-timing-cache", "cache"});
  ASSERT_EQ(made.code, 0);
  EXPECT_THAT(made.out, HasSubstr("[I] Saving tactic timing cache to " + folder_.path()));
  const std::string first = folder_.read("cache");
  EXPECT_FALSE(first.empty());
  const Outcome grown = run({"convert", name, "-o", "b.engine", "--load-timing-cache", "cache",
                             "--save-timing-cache", "cache"});
  ASSERT_EQ(grown.code, 0);
  EXPECT_THAT(grown.out, HasSubstr("[I] Loading tactic timing cache from " + folder_.path()));
  EXPECT_GE(folder_.read("cache").size(), first.size());
  folder_.write("garbage", "no cache at all");
  const Outcome kept = run({"convert", name, "-o", "b.engine", "--save-timing-cache", "garbage"});
  EXPECT_EQ(folder_.read("garbage"), "no cache at all");
  EXPECT_THAT(kept.out, HasSubstr("Not saving the timing cache"));
  EXPECT_THAT(run({"convert", name, "-o", "b.engine", "--load-timing-cache", "/dev/zero"}).err,
              HasSubstr("/dev/zero is not a regular file"));
  // A device stays what it is.
  EXPECT_THAT(run({"convert", name, "-o", "b.engine", "--save-timing-cache", "/dev/full"}).err,
              HasSubstr("Could not write /dev/full: No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  const Outcome missing =
      run({"convert", name, "-o", "b.engine", "--load-timing-cache", "nothing"});
  EXPECT_EQ(missing.code, 0);
  EXPECT_THAT(missing.out, HasSubstr("falling back to empty timing cache"));
}

TEST_F(TensorRt, WhatHasNoEffectOnASavedEngineIsSaid) {
  ASSERT_EQ(run({"convert", model(kSum), "-o", "saved.engine"}).code, 0);
  const Outcome seen = run({"run", "saved.engine", "--trt", "--tf32",
                            "--builder-optimization-level", "2", "--plugin-instancenorm",
                            "--save-timing-cache", "t.cache", "--optimization-profile", "0"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[I] Loading bytes from " + folder_.path() + "/saved.engine\n"));
  EXPECT_THAT(seen.out, HasSubstr("The model is already an engine. Options without effect: --tf32, "
                                  "--builder-optimization-level, --plugin-instancenorm, "
                                  "--save-timing-cache\n"));
}

}  // namespace
}  // namespace polygraphy::cli
