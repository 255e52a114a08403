// Options in combinations: models of single runners, options without the one that they need, shapes
// that no input has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class OptionCombinations : public testing::Test {
 protected:
  OptionCombinations() {
    save("m.onnx", "Neg");
    save("same.onnx", "Neg");
    save("other.onnx", "Abs");
  }
  void save(const std::string& name, const std::string& op, const std::string& output = "y") const {
    graphsurgeon::save_model(
        graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[N, 3] x) => (float[N, 3] )" +
                                      output + ") { " + output + " = " + op + "(x) }"),
        folder_.path() + "/" + name);
  }
  Outcome polygraphy(const std::vector<std::string>& args) const {
    return run_in_process(args, {.root = folder_.path()});
  }
  Outcome run(const std::vector<std::string>& options) const {
    std::vector<std::string> args = {"run"};
    args.insert(args.end(), options.begin(), options.end());
    return polygraphy(args);
  }

  TemporaryFolder folder_;
};

TEST_F(OptionCombinations, ARunnerMayHaveAModelOfItsOwn) {
  EXPECT_EQ(run({"m.onnx", "--onnxrt", "--onnxrt", "same.onnx"}).code, 0);
  const Outcome other = run({"m.onnx", "--onnxrt", "--onnxrt", "other.onnx"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("FAILED | Output: 'y'"));
  EXPECT_EQ(run({"--onnxrt", "m.onnx", "--onnxrt", "other.onnx"}).code, 1);
  EXPECT_EQ(run({"--onnxrt", "m.onnx", "--onnxrt", "same.onnx"}).code, 0);
  EXPECT_EQ(run({"m.onnx", "--onnxrt", "--onnxrt", "other.onnx", "--isolate"}).code, 1);
}

TEST_F(OptionCombinations, AModelOfARunnerThatCannotBeIsRefused) {
  const Outcome missing = run({"m.onnx", "--onnxrt", "--openvino", "nosuch.onnx"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("[!] --openvino: there is no model 'nosuch.onnx'"));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "same.onnx", "--mem-limit", "1G"}).err,
              HasSubstr("[!] --mem-limit needs one model for all runners"));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--onnxrt", "same.onnx", "--gen", "s.py"}).err,
              HasSubstr("all runners have one model"));
  EXPECT_THAT(run({"m.onnx", "same.onnx", "--onnxrt"}).out + run({"m.onnx", "a", "--onnxrt"}).err,
              HasSubstr("Unrecognized Options: ['same.onnx']"));
  EXPECT_THAT(run({"m.onnx", "same.onnx", "--onnxrt", "--openvino"}).out,
              HasSubstr("No runner takes 'same.onnx'. A second model stands directly behind the "
                        "flag of its runner: --openvino same.onnx"));
  EXPECT_THAT(polygraphy({"debug", "locate", "m.onnx", "--onnxrt", "same.onnx"}).out,
              HasSubstr("Unrecognized Options: ['same.onnx']"));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--onnxrt", "m.onnx", "--save-outputs", "m.onnx"}).err,
              HasSubstr("would overwrite 'm.onnx'"));
}

TEST_F(OptionCombinations, ALimitOfNoMemoryIsRefused) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", "m.onnx", "--onnxrt"},
           {"debug", "locate", "m.onnx", "--onnxrt", "--openvino"},
           {"debug", "sensitivity", "m.onnx"}}) {
    std::vector<std::string> none = command;
    none.insert(none.end(), {"--mem-limit", "0K"});
    EXPECT_THAT(polygraphy(none).err, HasSubstr("[!] --mem-limit 0K leaves no memory"));
  }
  EXPECT_EQ(run({"m.onnx", "--onnxrt", "--mem-limit", "1T"}).code, 0);
}

TEST_F(OptionCombinations, OptionsWithoutTheOneThatTheyNeed) {
  const Outcome ours = run({"m.onnx", "--onnxrt", "--benchmark-runs", "3"});
  EXPECT_EQ(ours.code, 1);
  EXPECT_EQ(ours.err,
            "[!] --benchmark-runs has no effect without --benchmark\n    Add --benchmark.\n");
  EXPECT_THAT(polygraphy({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--start-at", "y",
                          "--check-run", "onnxrt", "openvino"})
                  .err,
              HasSubstr("--start-at has no effect without --mode auto"));
  const Outcome theirs = run({"m.onnx", "--onnxrt", "--save-external-data", "w"});
  EXPECT_EQ(theirs.code, 0);
  EXPECT_THAT(theirs.out,
              HasSubstr("[W] Option: --save-external-data has no effect without --save-onnx"));
  EXPECT_THAT(polygraphy({"inspect", "model", "m.onnx", "--save-visual", "g.html"}).err,
              HasSubstr("--save-visual has no effect without --visual"));
}

TEST_F(OptionCombinations, ShardsByTensorsAlwaysHaveDataFiles) {
  const auto shard = [&](const char* parallelism) {
    return polygraphy({"multi-device", "shard", "m.onnx", "--one-shot", "--parallelism",
                       parallelism, "-o", "s.onnx", "--no-save-all-tensors-to-one-file"})
        .out;
  };
  const std::string warning = "--no-save-all-tensors-to-one-file has no effect";
  EXPECT_THAT(shard("TP"), Not(HasSubstr(warning)));
  EXPECT_THAT(shard("CP"), HasSubstr(warning));
}

TEST_F(OptionCombinations, ShapesThatChangeNothingAreErrors) {
  const auto error = [&](const std::vector<std::string>& shapes) {
    std::vector<std::string> args = {"m.onnx", "--onnxrt", "--input-shapes"};
    args.insert(args.end(), shapes.begin(), shapes.end());
    const Outcome outcome = run(args);
    return std::to_string(outcome.code) + " " + outcome.err;
  };
  EXPECT_THAT(error({"[2,3]"}), HasSubstr("1 [!] --input-shapes: the shape [2, 3] has no name"));
  EXPECT_THAT(error({"X0:[2,3]"}),
              HasSubstr("1 [!] No input is named 'X0'\n    Did you mean 'x'?\n    Inputs: x."));
  EXPECT_THAT(error({"x:[2,4]"}), HasSubstr("It cannot have the shape [2, 4]: its shape in the "
                                            "model is ['N', 3]"));
  EXPECT_THAT(error({"x:[2,", "3]"}), HasSubstr("A shape with blanks needs quotes."));
  EXPECT_EQ(error({"x:[2,3]"}), "0 ");
  EXPECT_EQ(error({"x:[2,3]", "absent:[1]"}), "0 ") << "scripts name the inputs of several models";
  EXPECT_EQ(error({"*:[2,4]"}), "0 ") << "a wildcard means the inputs that it fits";
}

TEST_F(OptionCombinations, UnknownNamesGetSuggestions) {
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--onnx-outputs", "Y"}).err,
              HasSubstr("Did you mean 'y'?"));
  const Outcome check =
      polygraphy({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--check-run", "onnxrt", "ov"});
  EXPECT_EQ(check.code, 2);
  EXPECT_THAT(check.err, HasSubstr("Did you mean 'openvino'?"));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--threads", "2"}).out,
              HasSubstr("Did you mean '--onnxrt-threads'"));
  EXPECT_THAT(run({"m.onnx", "--onnxrt", "--onnxrt", "--check-error-stat", "maxx"}).err,
              HasSubstr("Did you mean 'max'?"));
  EXPECT_THAT(
      polygraphy({"debug", "locate", "m.onnx", "--onnxrt", "--openvino", "--trust", "onxrt"}).err,
      HasSubstr("Did you mean 'onnxrt'?"));
}

TEST_F(OptionCombinations, NamesThatMatchNothingAreWarnedOfBeforeTheRun) {
  save("long.onnx", "Neg", "logits");
  const auto before_the_run = [&](const std::vector<std::string>& options) {
    std::vector<std::string> args = {"long.onnx", "--onnxrt", "--onnxrt"};
    args.insert(args.end(), options.begin(), options.end());
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out.substr(0, outcome.out.find("Activating"));
  };
  EXPECT_THAT(before_the_run({"--atol", "logit:1"}),
              HasSubstr("[W] No output has the name 'logit', for which atol is given.\n"
                        "    Did you mean 'logits'?"));
  EXPECT_THAT(before_the_run({"--postprocess", "logit:top-1"}),
              HasSubstr("'logit', for which postprocess is given"));
  EXPECT_THAT(before_the_run({"--atol", "logits:1"}), Not(HasSubstr("[W] No output")));
  EXPECT_THAT(run({"long.onnx", "--onnxrt", "--onnxrt", "--val-range", "xx:[0,1]", "x1:[0,1]"}).out,
              HasSubstr("Extra items in val_range: {'xx', 'x1'}"));
  EXPECT_THAT(polygraphy({"check", "consistency", "long.onnx", "--onnxrt", "--atol", "logit:1",
                          "--only-check", "repeat"})
                  .out,
              HasSubstr("for which --atol is given"));
}

}  // namespace
}  // namespace polygraphy::cli
