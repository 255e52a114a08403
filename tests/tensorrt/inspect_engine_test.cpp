// `inspect model` of engines.
#include "fixture.h"

namespace polygraphy::cli {
namespace {

class EngineText : public TensorRt, public testing::WithParamInterface<std::string> {
 protected:
  // Of kSum; returns its name.
  std::string engine(std::vector<std::string> options = {}) const {
    std::vector<std::string> args = {"convert", model(kSum), "-o", "model.engine"};
    args.insert(args.end(), options.begin(), options.end());
    const Outcome seen = run(args, GetParam());
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    return "model.engine";
  }
  static std::string format();
  Outcome inspect(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"inspect", "model", "model.engine"});
    return run(options, GetParam());
  }
};

// How the family writes a tensor's format.
std::string EngineText::format() {
  return GetParam() == "11" ? "FP32 Row major linear" : "Row major linear FP32";
}

INSTANTIATE_TEST_SUITE_P(Families, EngineText, testing::Values("10", "11", "rtx"),
                         [](const auto& each) { return each.param; });

TEST_P(EngineText, TensorsMemoryAndProfiles) {
  engine({"--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[2,4]", "--trt-max-shapes",
          "x:[8,4]"});
  const Outcome seen = inspect();
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              HasSubstr("[I] ==== TensorRT Engine ====\n"
                        "    Name: Unnamed Network 0 | Explicit Batch Engine\n"
                        "    \n"
                        "    ---- 1 Engine Input(s) ----\n"
                        "    {x [dtype=float32, shape=(-1, 4)]}\n"
                        "    \n"
                        "    ---- 1 Engine Output(s) ----\n"
                        "    {y [dtype=float32, shape=(-1, 4)]}\n"
                        "    \n"
                        "    ---- Memory ----\n"
                        "    Device Memory: 1048576 bytes\n"
                        "    \n"
                        "    ---- 1 Profile(s) (2 Tensor(s) Each) ----\n"
                        "    - Profile: 0\n"
                        "        Tensor: x          (Input), Index: 0 | Shapes: min=(1, 4), "
                        "opt=(2, 4), max=(8, 4)\n"
                        "        Tensor: y         (Output), Index: 1 | Shape: (-1, 4)\n"
                        "    \n"
                        "    ---- 2 Layer(s) ----\n"));
}

TEST_P(EngineText, Layers) {
  engine();
  const Outcome seen = inspect({"--show", "layers", "attrs"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              // The double does not know the shapes of tensors inside.
              HasSubstr("    Layer 0    | node_of_a [Op: ELEMENTWISE]\n"
                        "        {x [dtype=float32, shape=(-1, 4), Format: " +
                        format() +
                        "]}\n"
                        "         -> {a [dtype=float32, shape=(), Format: " +
                        format() +
                        "]}\n"
                        "        ---- Attributes ----\n"
                        "        Origin = Unknown\n"
                        "        Tactic = 0x0000000000000001\n"
                        "    \n"
                        "    Layer 1    | node_of_y [Op: ACTIVATION]\n"));
  EXPECT_THAT(inspect({"--show", "layers"}).out, Not(HasSubstr("Tactic")));
}

TEST_P(EngineText, ValuesOfSavedOutputsAreCombined) {
  engine({"--trt-min-shapes", "x:[2,4]"});
  ASSERT_EQ(run({"run", "model.engine", "--trt", "--input-shapes", "x:[2,4]", "--seed", "1",
                 "--val-range", "[3,3]", "--save-outputs", "o.json"},
                GetParam())
                .code,
            0);
  const Outcome seen = inspect({"--show", "layers", "--combine-tensor-info", "o.json"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              AllOf(HasSubstr("y [dtype=float32, shape=(-1, 4), Format: " + format() +
                              ", min=4.00, max=4.00, avg=4.00]"),
                    HasSubstr("x [dtype=float32, shape=(-1, 4), Format: " + format() + "]")));
  EXPECT_EQ(inspect({"--show", "layers", "--combine-tensor-info", "none.json"}).code, 1);
}

TEST_P(EngineText, ValuesThatAreCombinedWithNothingAreSaidToBe) {
  engine();
  EXPECT_THAT(
      inspect({"--combine-tensor-info", "none.json"}).out,
      HasSubstr("--combine-tensor-info has no effect: it is for engines, with --show layers"));
  EXPECT_THAT(run({"inspect", "model", "model.onnx", "--show", "layers", "--combine-tensor-info",
                   "none.json"},
                  GetParam())
                  .out,
              HasSubstr("--combine-tensor-info has no effect"));
}

TEST_P(EngineText, EnginesThatTellLittleAreSaidToDoSo) {
  engine({"--profiling-verbosity", "layer_names_only", "--refittable"});
  const Outcome seen = inspect({"--show", "layers"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              AllOf(HasSubstr("Engine profiling verbosity: ProfilingVerbosity.LAYER_NAMES_ONLY."),
                    HasSubstr("| Refittable Explicit Batch Engine"),
                    HasSubstr("    Layer 0    | node_of_a [Op: Unknown]\n        {} -> {}\n")));
  engine({"--profiling-verbosity", "none"});
  const Outcome silent = inspect({"--show", "layers"});
  EXPECT_EQ(silent.code, 0) << silent.err;
  EXPECT_THAT(silent.out, HasSubstr("    Layer 0    |  [Op: Unknown]\n"));
}

TEST_P(EngineText, ProfilesShareLayersWithTensorRt) {
  engine({"--trt-min-shapes", "x:[1,4]", "--trt-opt-shapes", "x:[1,4]", "--trt-max-shapes",
          "x:[1,4]", "--trt-min-shapes", "x:[2,4]", "--trt-opt-shapes", "x:[2,4]",
          "--trt-max-shapes", "x:[2,4]"});
  const Outcome seen = inspect({"--show", "layers"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("---- 2 Profile(s) (2 Tensor(s) Each) ----"));
  if (GetParam() == "rtx") {
    EXPECT_THAT(seen.out, AllOf(HasSubstr("---- 2 Layer(s) Per Profile ----\n    - Profile: 0\n"
                                          "        Layer 0    | node_of_a [Op: "),
                                HasSubstr("        Layer 0    | node_of_a [profile 1] [Op: ")));
  } else {
    EXPECT_THAT(seen.out, AllOf(HasSubstr("---- 2 Layer(s) ----"), Not(HasSubstr("[profile 1]"))));
  }
}

TEST_P(EngineText, TruncatedPlansAndMissingDriversAreErrors) {
  engine();
  folder_.write("model.plan", folder_.read("model.engine").substr(0, 100));
  const Outcome cut = run({"inspect", "model", "model.plan"}, GetParam());
  EXPECT_EQ(cut.code, 1);
  EXPECT_THAT(cut.err, AllOf(HasSubstr("Could not deserialize engine"),
                             HasSubstr("Build it again from the model.")));
  fail_driver("no-device");
  const Outcome none = inspect();
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("GPU"));
}

TEST_F(TensorRt, EnginesOfAnotherVersionAreErrors) {
  ASSERT_EQ(run({"convert", model(kSum), "-o", "model.engine"}, "10").code, 0);
  const Outcome seen = run({"inspect", "model", "model.engine"}, "11");
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("Could not deserialize engine"),
                              HasSubstr("An engine runs with the TensorRT version")));
}

TEST_F(TensorRt, EnginesUnderAnyName) {
  ASSERT_EQ(run({"convert", model(kSum), "--convert-to", "trt", "-o", "engine.bin"}).code, 0);
  const Outcome seen = run({"inspect", "model", "engine.bin", "--model-type", "engine"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("==== TensorRT Engine ===="));
  const Outcome lean =
      run({"inspect", "model", "engine.bin", "--model-type", "engine", "--load-runtime", "none"});
  EXPECT_EQ(lean.code, 1);
  EXPECT_THAT(lean.err, HasSubstr("is not a runtime library of TensorRT"));
}

TEST_P(EngineText, AsAGraphInAPage) {
  engine();
  const Outcome seen = inspect({"--visual", "--save-visual", "engine.html"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, Not(HasSubstr("TensorRT Engine")));
  EXPECT_THAT(folder_.read("engine.html"),
              AllOf(HasSubstr("<title>Unnamed Network 0 | TensorRT Engine</title>"),
                    HasSubstr("[\"Tactic\","), HasSubstr("\"(-1, 4)\",\"Format: " + format())));
}

}  // namespace
}  // namespace polygraphy::cli
