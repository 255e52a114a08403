// How int8 is calibrated, with the batches that a run's inputs are.
#include <filesystem>
#include <limits>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

class Calibration : public TensorRt {
 protected:
  // `more` behind `convert MODEL -o m.engine --int8`.
  Outcome convert(const std::vector<std::string>& more, const std::string& set = "10") {
    std::vector<std::string> args = {"convert", model(kSum), "-o", "m.engine", "--int8"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, set);
  }
  // A new file of raw inputs, as --load-inputs takes it.
  std::string batch(const std::vector<float>& values, const std::string& what = "x:[1,4]") {
    const std::string name = "batch" + std::to_string(batches_++) + ".bin";
    folder_.write(name, {reinterpret_cast<const char*>(values.data()), values.size() * 4});
    const bool typed = what.find("]:") != std::string::npos;
    return name + ":" + what + (typed ? "" : ":float32");
  }

 private:
  int batches_ = 0;
};

TEST_F(Calibration, WithSavedInputsMakesACache) {
  // An earlier run's inputs; the greatest is the second one's: 2.
  const std::vector<std::string> inputs = {"--load-inputs", batch({0.5F, 0.5F, 0.5F, 0.5F}),
                                           batch({1, -2, 0, 1}), "--calibration-cache", "cache"};
  const Outcome seen = convert(inputs);
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              AllOf(HasSubstr("Saving calibration cache to"), Not(HasSubstr("random inputs"))));
  EXPECT_THAT(recorded(),
              AllOf(HasSubstr("setInt8Calibrator("), HasSubstr("setCalibrationProfile("),
                    HasSubstr("calibration batches: 2")));
  // The scale of 2: 2 / 127.
  EXPECT_EQ(folder_.read("cache"), "TRT-101600-ENTROPY_CALIBRATION_2\nx: 3c810204\n");

  const Outcome again = convert(inputs);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Loading calibration cache from"));
  EXPECT_THAT(recorded(), HasSubstr("calibration cache read: "));
}

TEST_F(Calibration, OfARunUsesTheRunsInputs) {
  const Outcome seen = run({"run", model(kSum), "--trt", "--onnxrt", "--int8", "--load-inputs",
                            batch({1, -2, 0, 1}), "--calibration-cache", "cache"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[I] Using calibration profile: "
                                  "{x [min=[1, 4], opt=[1, 4], max=[1, 4]]}\n"));
  EXPECT_THAT(recorded(), HasSubstr("calibration batches: 1"));
  EXPECT_EQ(folder_.read("cache"), "TRT-101600-ENTROPY_CALIBRATION_2\nx: 3c810204\n");
}

TEST_F(Calibration, TakesAnEmptyCacheForNone) {
  folder_.write("cache", "");
  const Outcome seen = convert({"--calibration-cache", "cache", "--iterations", "3"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("The calibration cache is empty"));
  EXPECT_THAT(recorded(), HasSubstr("calibration batches: 3"));
  EXPECT_THAT(folder_.read("cache"), HasSubstr("x: "));
}

TEST_F(Calibration, WithRandomInputsIsWarnedOf) {
  const Outcome seen = convert({});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("Calibrating int8 with random inputs"));
  EXPECT_THAT(recorded(), HasSubstr("calibration batches: 1"));
}

TEST_F(Calibration, KnowsTheClassesOfTensorRt) {
  for (const char* name : {"IInt8EntropyCalibrator2", "IInt8EntropyCalibrator",
                           "IInt8MinMaxCalibrator", "IInt8LegacyCalibrator"}) {
    EXPECT_EQ(convert({"--calibration-base-class", name}).code, 0) << name;
  }
  const Outcome other = convert({"--calibration-base-class", "Mine"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("TensorRT has no 'Mine'"));
}

TEST_F(Calibration, IsOfTheOptimumShapes) {
  const Outcome seen = convert({"--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[3,4]",
                                "--trt-max-shapes", "x:[8,4]"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  const std::string three = batch(std::vector<float>(12, 1), "x:[3,4]");
  const Outcome loaded = convert({"--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[3,4]",
                                  "--trt-max-shapes", "x:[8,4]", "--load-inputs", three});
  EXPECT_EQ(loaded.code, 0) << loaded.err;
}

TEST_F(Calibration, WithoutUsableDataIsAnError) {
  const auto error = [&](const std::string& inputs) {
    const Outcome seen = convert({"--load-inputs", inputs, "--calibration-cache", "cache"});
    EXPECT_EQ(seen.code, 1) << inputs;
    for (const char* written : {"/m.engine", "/cache"})
      EXPECT_FALSE(std::filesystem::exists(folder_.path() + written)) << inputs;
    return seen.err;
  };
  EXPECT_THAT(error(batch(std::vector<float>(12, 1), "x:[3,4]")),
              AllOf(HasSubstr("[!] Calibration sample 1 ("),
                    HasSubstr("batch0.bin): input x has shape [3, 4], but the network is "
                              "calibrated with [1, 4]"),
                    HasSubstr("--trt-opt-shapes")));
  EXPECT_THAT(error(batch({1, 2, 3, 4}, "x:[1,4]:int32")),
              AllOf(HasSubstr("is of int32, but the network is calibrated with float32"),
                    HasSubstr("x.astype(\"float32\")")));
  folder_.write("inputs.json", "[]");
  EXPECT_THAT(error("inputs.json"), HasSubstr("No inputs in"));
  folder_.write("broken.json", "[{");
  EXPECT_THAT(error("broken.json"), HasSubstr("broken.json"));
  fail_driver("no-device");
  EXPECT_THAT(error(batch({1, 2, 3, 4})), HasSubstr("GPU"));
}

TEST_F(Calibration, TakesAllInputs) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[4] x, float[4] w) => (float[4] y) { y = Add(x, w) }");
  const Outcome seen = run(
      {"convert", name, "-o", "m.engine", "--int8", "--load-inputs", batch({1, 2, 3, 4}, "x:[4]")});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err,
              AllOf(HasSubstr("batch0.bin) has no input w"), HasSubstr("inputs are ['x', 'w']")));
}

TEST_F(Calibration, SaysWhichSampleIsAtFaultAndNothingElse) {
  const Outcome seen =
      convert({"--load-inputs", batch({1, 2, 3, 4}), batch({1, 2}, "x:[1,4]:float16")});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, testing::StartsWith("[!] Calibration sample 2 ("));
  EXPECT_THAT(seen.err, HasSubstr("batch1.bin): input x is of float16"));
  // This causes the library's message about a calibration without scales.
  EXPECT_THAT(seen.out, Not(HasSubstr("[E]")));
}

TEST_F(Calibration, OfWrongSamplesEndsTheSearchForPrecisions) {
  const Outcome seen =
      run({"debug", "precision", model(kSum), "--int8", "--load-inputs", batch({1, 2}, "x:[1,2]"),
           "--save-debug-replay", "", "--check", "true"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("[!] Calibration sample 1 ("));
}

TEST_F(Calibration, IgnoresOtherInputsWithAWarning) {
  const std::string feed = R"({"x": [[1, 2, 3, 4]], "other": [5]})";
  folder_.write("inputs.json", "[" + feed + ", " + feed + "]");
  const Outcome seen = convert({"--load-inputs", "inputs.json"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(recorded(), HasSubstr("calibration batches: 2"));
  const std::string warning = "ignoring other, which is not an input of the network";
  const size_t first = seen.out.find(warning);
  ASSERT_NE(first, std::string::npos) << seen.out;
  EXPECT_EQ(seen.out.find(warning, first + 1), std::string::npos);
}

TEST_F(Calibration, WarnsOfValuesThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Outcome with_nan =
      convert({"--load-inputs", batch({1, 2, 3, 4}), batch({nan, infinity, 1, 1})});
  EXPECT_EQ(with_nan.code, 0) << with_nan.err;
  EXPECT_THAT(with_nan.out, AllOf(HasSubstr("[W] Calibration sample 2 ("),
                                  HasSubstr("batch1.bin): input x has NaN")));
  EXPECT_THAT(convert({"--load-inputs", batch({infinity, 1, 1, 1})}).out,
              HasSubstr("input x has infinite values"));
}

TEST_F(Calibration, WarnsOfShapesThatTheProfileDoesNotAllow) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[4] x, int64[1] s) => (float[N] y) { y = Reshape(x, s) }");
  const auto values = [&](int64_t s) {
    const std::string file = "s" + std::to_string(s) + ".bin";
    folder_.write(file, {reinterpret_cast<const char*>(&s), sizeof s});
    const Outcome seen =
        run({"convert", name, "-o", "m.engine", "--int8", "--trt-min-shapes", "x:[4]", "s:[2]",
             "--trt-opt-shapes", "x:[4]", "s:[4]", "--trt-max-shapes", "x:[4]", "s:[4]",
             "--load-inputs", batch({1, 2, 3, 4}, "x:[4]"), file + ":s:[1]:int64"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return seen.out;
  };
  EXPECT_THAT(values(4), Not(HasSubstr("Calibration sample")));
  EXPECT_THAT(values(7), HasSubstr("[W] Calibration sample 1: input s has the values [7], but the "
                                   "profile is for [2] to [4]"));
}

TEST_F(Calibration, WithoutIterationsNamesTheOption) {
  const Outcome seen = convert({"--iterations", "0"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err,
              AllOf(HasSubstr("No calibration data: 0 iterations"), HasSubstr("--iterations")));
  EXPECT_THAT(seen.out, Not(HasSubstr("random inputs")));
}

TEST_F(Calibration, ShowsHowManySamplesItTook) {
  const Outcome seen = convert({"--iterations", "250"});
  EXPECT_THAT(seen.out, AllOf(HasSubstr("[I] Calibration sample 100\n"),
                              Not(HasSubstr("Calibration sample 99")),
                              Not(HasSubstr("Calibration sample 200"))));
  EXPECT_THAT(convert({"--iterations", "3", "-v"}).out,
              AllOf(HasSubstr("[V] Calibration sample 2\n"),
                    HasSubstr("[V] Calibration samples in total: 3\n")));
}

TEST_F(Calibration, LooksForItsInputsBeforeTheBuild) {
  for (const char* option : {"--load-inputs", "--input-file", "--data-loader-script"}) {
    const Outcome seen = convert({option, "missing.npz"});
    EXPECT_EQ(seen.code, 1) << option;
    EXPECT_THAT(seen.err, HasSubstr("missing.npz")) << option;
    EXPECT_EQ(recorded(), "") << option;
  }
  const Outcome seen = run({"run", model(kSum), "--trt", "--int8", "--load-inputs", "missing.npz"});
  EXPECT_THAT(seen.err, HasSubstr("missing.npz"));
  EXPECT_EQ(recorded(), "");
}

TEST_F(Calibration, InputsThatNothingIsCalibratedWithAreWarnedOf) {
  const std::string name = model(kSum);
  for (const char* option : {"--load-inputs", "--data-loader-script"}) {
    const std::string warning = "Option: " + std::string(option) + " has no effect";
    for (const char* output : {"m.engine", "copy.onnx"}) {
      const Outcome seen = run({"convert", name, "-o", output, option, "missing.py"});
      EXPECT_EQ(seen.code, 0) << seen.err;
      EXPECT_THAT(seen.out, HasSubstr(warning)) << output;
    }
  }
  folder_.write("cache", "TRT-101600-ENTROPY_CALIBRATION_2\nx: 3c810204\n");
  const Outcome seen = convert({"--calibration-cache", "cache", "--load-inputs", "missing.npz"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("The calibration cache has the scales, so the given inputs"));
}

TEST_F(Calibration, TakesFractionsFromZeroToOne) {
  const std::vector<std::string> legacy = {"--calib-base-cls", "IInt8LegacyCalibrator"};
  for (const char* option : {"--quantile", "--regression-cutoff"}) {
    for (const char* good : {"0", "0.25", "1"})
      EXPECT_EQ(convert({legacy[0], legacy[1], option, good}).code, 0) << option << good;
    for (const char* bad : {"1.5", "nan", "inf"}) {
      const Outcome seen = convert({legacy[0], legacy[1], option, bad});
      EXPECT_EQ(seen.code, 1) << option << bad;
      EXPECT_THAT(seen.err, HasSubstr(std::string(option) +
                                      " takes a number from 0 to 1, but received: " + bad));
    }
  }
}

TEST_F(Calibration, NamesACacheThatTensorRtRefuses) {
  for (const char* cache : {"no cache at all", "TRT-101600-MINMAX_CALIBRATION\nx: 3c810204\n",
                            "TRT-101600-ENTROPY_CALIBRATION_2\nx: 3c8\n"}) {
    folder_.write("cache", cache);
    const Outcome seen = convert({"--calibration-cache", "cache"});
    EXPECT_EQ(seen.code, 1) << cache;
    EXPECT_THAT(seen.err,
                AllOf(HasSubstr("The build used the calibration cache"), HasSubstr("delete it")));
    EXPECT_EQ(folder_.read("cache"), cache);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/m.engine"));
  }
}

TEST_F(Calibration, MakesTheCacheOfAnotherVersionAnew) {
  folder_.write("cache", "TRT-8601-ENTROPY_CALIBRATION_2\nx: 3c010204\n");
  const Outcome seen =
      convert({"--calibration-cache", "cache", "--load-inputs", batch({1, -2, 0, 1})});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[W] TensorRT rejected the calibration cache"));
  EXPECT_EQ(folder_.read("cache"), "TRT-101600-ENTROPY_CALIBRATION_2\nx: 3c810204\n");
}

TEST_F(Calibration, IsNothingOfLaterVersions) {
  for (const char* set : {"11", "rtx"}) {
    const Outcome seen = convert({}, set);
    EXPECT_EQ(seen.code, 1) << set;
    EXPECT_THAT(seen.err, HasSubstr("--int8")) << set;
  }
}

}  // namespace
}  // namespace polygraphy::cli
