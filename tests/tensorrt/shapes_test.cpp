// Profiles: from options to the builder, and at inference.
#include "fixture.h"

namespace polygraphy::cli {
namespace {

TEST_F(TensorRt, OpenDimensionsAreOneWithoutShapes) {
  const Outcome seen = run({"run", model(kSum), "--trt"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              AllOf(HasSubstr("[W] Input tensor: x (dtype=DataType.FLOAT, shape=(-1, 4)) | "
                              "No shapes provided; Will use shape: [1, 4] for "
                              "min/opt/max in profile.\n"),
                    HasSubstr("{x [min=[1, 4], opt=[1, 4], max=[1, 4]]}")));
}

TEST_F(TensorRt, AProfileTakesOverWhatTheOneBeforeWasGiven) {
  const Outcome seen = run({"convert", model(kSum), "-o", "m.engine", "--trt-min-shapes", "x:[1,4]",
                            "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes", "x:[8,4]",
                            "--trt-min-shapes", "x:[3,4]"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[I] Configuring with profiles:[\n"
                                  "        Profile 0:\n"
                                  "            {x [min=[1, 4], opt=[2, 4], max=[8, 4]]},\n"
                                  "        Profile 1:\n"
                                  "            {x [min=[3, 4], opt=[3, 4], max=[3, 4]]}\n"
                                  "    ]\n"));
}

TEST_F(TensorRt, TheSecondProfileRuns) {
  const std::vector<std::string> args = {"run",
                                         model(kSum),
                                         "--trt",
                                         "--onnxrt",
                                         "--trt-min-shapes",
                                         "x:[1,4]",
                                         "--trt-max-shapes",
                                         "x:[2,4]",
                                         "--trt-min-shapes",
                                         "x:[3,4]",
                                         "--trt-max-shapes",
                                         "x:[9,4]",
                                         "--input-shapes",
                                         "x:[5,4]",
                                         "--optimization-profile"};
  std::vector<std::string> second = args, first = args, third = args;
  second.push_back("1");
  first.push_back("0");
  third.push_back("2");
  const Outcome runs = run(second);
  EXPECT_EQ(runs.code, 0) << runs.out << runs.err;
  const Outcome out_of_range = run(first);
  EXPECT_EQ(out_of_range.code, 1);
  EXPECT_THAT(out_of_range.out,
              HasSubstr("input x has shape [5, 4], but profile 0 takes [1, 4] to [2, 4]"));
  const Outcome none = run(third);
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err + none.out,
              HasSubstr("--optimization-profile 2: the engine has 2 profile(s)"));
}

TEST_F(TensorRt, ProfilesThatContradictTheModel) {
  const std::string name = model(kSum);
  const auto error = [&](const std::string& shapes) {
    const Outcome seen = run({"convert", name, "-o", "m.engine", "--trt-min-shapes", shapes});
    EXPECT_EQ(seen.code, 1);
    return seen.err;
  };
  EXPECT_THAT(error("x:[1,5]"),
              HasSubstr("Input x: dimension 1 of the profile's minimum shape [1, 5] is 5, but the "
                        "network's is 4"));
  EXPECT_THAT(error("x:[4]"), HasSubstr("has 1 dimensions, but the network's [-1, 4] has 2"));
  EXPECT_THAT(error("q:[4]"),
              HasSubstr("Invalid inputs were provided to the optimization profile: ['q']"));
  const Outcome order = run({"convert", name, "-o", "m.engine", "--trt-min-shapes", "x:[4,4]",
                             "--trt-opt-shapes", "x:[2,4]"});
  EXPECT_THAT(order.err, HasSubstr("minimum shape is 4, above the 2 of its optimum shape"));
}

TEST_F(TensorRt, InputsWhoseValuesAreShapes) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[N] x, int64[2] s) => (float[A,B] y) { y = Reshape(x, s) }");
  const Outcome seen =
      run({"convert", name, "-o", "m.engine", "--trt-min-shapes", "x:[6]", "s:[2,3]"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(recorded(), HasSubstr("setShapeValuesV2(\"s\", kMIN, "));
}

TEST_F(TensorRt, AllocationStrategiesGiveTheSameResult) {
  const std::string name = model(kSum);
  for (const std::string strategy : {"static", "profile", "runtime"}) {
    const Outcome seen = run({"run", name, "--trt", "--onnxrt", "--allocation-strategy", strategy});
    EXPECT_EQ(seen.code, 0) << strategy << seen.out << seen.err;
  }
}

}  // namespace
}  // namespace polygraphy::cli
