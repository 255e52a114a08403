// Tactics: recorded, replayed, and compared.
#include <cstdlib>
#include <filesystem>

#include "fixture.h"
#include "polygraphy/polygraphy.h"

namespace polygraphy::cli {
namespace {

class Tactics : public TensorRt {
 protected:
  Outcome convert(const char* option, const std::string& file) {
    return run({"convert", model(kSum), "-o", "m.engine", option, file});
  }
  // A replay of the model, with the first `old` replaced.
  Outcome replayed_with(const std::string& old, const std::string& changed) {
    EXPECT_EQ(convert("--save-tactics", "tactics.json").code, 0);
    std::string text = folder_.read("tactics.json");
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    folder_.write("other.json", text.replace(at, old.size(), changed));
    return convert("--load-tactics", "other.json");
  }
  // The error for a file with this text.
  std::string damage(const std::string& text) {
    folder_.write("damaged.json", text);
    const Outcome seen = convert("--load-tactics", "damaged.json");
    EXPECT_EQ(seen.code, 1) << text;
    EXPECT_THAT(seen.err, AllOf(HasSubstr("damaged.json is not a tactic replay file: "),
                                HasSubstr("--save-tactics writes tactic replay files.")));
    EXPECT_THAT(recorded(), Not(HasSubstr("buildSerializedNetwork")));
    return seen.err;
  }
};

TEST_F(Tactics, AreSavedAsTheOriginalSavesThem) {
  const Outcome seen = convert("--save-tactics", "tactics.json");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("The timing cache is disabled"),
                              HasSubstr("Saving tactic replay file to")));
  EXPECT_THAT(recorded(), HasSubstr("setFlag(kDISABLE_TIMING_CACHE)"));
  const Outcome shown = run_in_process({"inspect", "tactics", "tactics.json"},
                                       {.root = folder_.path(), .columns = 200});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(convert("--save-tactics", "new/folder/tactics.json").code, 0);
  EXPECT_FALSE(folder_.read("new/folder/tactics.json").empty());
  EXPECT_THAT(shown.out, HasSubstr("Algorithm: (Implementation: 7, Tactic: 1) | Inputs: "
                                   "(TensorInfo(DataType.FLOAT, (4, 1), -1, 1),"));
}

TEST_F(Tactics, AreTheSameAgain) {
  fail("nan-on-second-build");
  const std::string builds = folder_.path() + "/builds";
  setenv("PG_TENSORRT_DOUBLE_BUILDS", builds.c_str(), 1);
  EXPECT_EQ(convert("--save-tactics", "good.json").code, 0);
  const Outcome bad =
      run({"run", "model.onnx", "--trt", "--validate", "--save-tactics", "bad.json"});
  EXPECT_EQ(bad.code, 1) << bad.out;
  // Good ones for a build that would choose bad ones.
  EXPECT_EQ(convert("--load-tactics", "good.json").code, 0);
  const Outcome good =
      run({"run", "model.onnx", "--trt", "--validate", "--load-tactics", "good.json"});
  unsetenv("PG_TENSORRT_DOUBLE_BUILDS");
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  const Outcome differences =
      run_in_process({"inspect", "diff-tactics", "--good", "good.json", "--bad", "bad.json"},
                     {.root = folder_.path(), .columns = 200});
  EXPECT_THAT(differences.out, AllOf(HasSubstr("Found potentially bad tactics:"),
                                     HasSubstr("(Implementation: 7, Tactic: 2)")));
}

TEST_F(Tactics, ThatTheBuilderDoesNotHaveAreAnError) {
  const Outcome seen = replayed_with("\"tactic\": 1", "\"tactic\": 5");
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err,
              AllOf(HasSubstr("layer node_of_a: the builder has no algorithm (Implementation: 7, "
                              "Tactic: 5) of "),
                    HasSubstr("; it offers (Implementation: 7, Tactic: 1), (Implementation: 7, "
                              "Tactic: 2)"),
                    HasSubstr("Record the tactics again")));
  EXPECT_THAT(convert("--load-tactics", "none.json").err, HasSubstr("none.json"));
}

// The implementation and tactic are offered, so only the difference is reported.
TEST_F(Tactics, ForOtherTensorsSayWhichDiffer) {
  const Outcome type = replayed_with("DataType.FLOAT", "DataType.HALF");
  EXPECT_EQ(type.code, 1);
  EXPECT_THAT(type.err,
              AllOf(HasSubstr("layer node_of_a: algorithm (Implementation: 7, Tactic: 1) in "),
                    HasSubstr("with other inputs or outputs: input 0 as (DataType.HALF, strides "
                              "(4, 1), vectorized_dim -1, components_per_element 1), now as "
                              "(DataType.FLOAT, strides (4, 1), "),
                    Not(HasSubstr("no algorithm")), Not(HasSubstr("output 0"))));
  EXPECT_THAT(replayed_with("\"vectorized_dim\": -1", "\"vectorized_dim\": 1").err,
              HasSubstr("vectorized_dim 1, components_per_element 1), now as"));
  EXPECT_THAT(replayed_with("\"inputs\": [", "\"inputs\": [], \"outputs\": [").err,
              HasSubstr("inputs or outputs: 0 inputs, now 1\n"));
}

TEST_F(Tactics, OfDamagedFilesSayLayerAndKey) {
  const std::string end = "}, \"polygraphy_class\": \"TacticReplayData\"}";
  const auto of_layer = [&](const std::string& text) {
    return damage("{\"replay\": {\"a\": " + text + end);
  };
  const auto of_input = [&](const std::string& text) {
    return of_layer("{\"implementation\": 1, \"tactic\": 2, \"inputs\": [" + text +
                    "], \"outputs\": []}");
  };
  EXPECT_THAT(damage(""), HasSubstr("it is damaged at byte 1"));
  EXPECT_THAT(damage("[]"), HasSubstr("the file is an array, not an object"));
  EXPECT_THAT(damage("{\"replay\": {}}"), HasSubstr("the file has no 'polygraphy_class'"));
  EXPECT_THAT(damage("{\"replay\": {}, \"polygraphy_class\": \"RunResults\"}"),
              HasSubstr("of class 'RunResults', not of 'TacticReplayData'"));
  EXPECT_THAT(damage("{\"polygraphy_class\": \"TacticReplayData\"}"),
              HasSubstr("the file has no 'replay'"));
  EXPECT_THAT(damage("{\"replay\": {\"a\": {\"inputs\": [{\"strides\": [1"),
              HasSubstr("it is damaged at byte 44 in layer 'a', after 'strides'"));
  EXPECT_THAT(of_layer("[]"), HasSubstr("layer 'a' is an array, not an object"));
  EXPECT_THAT(of_layer(std::string(300000, '[') + std::string(300000, ']')),
              HasSubstr("its values nest too deeply in layer 'a'"));
  EXPECT_THAT(of_layer("{}"), HasSubstr("layer 'a' has no 'implementation'"));
  EXPECT_THAT(of_layer("{\"implementation\": 1e0}"),
              HasSubstr("'implementation' of layer 'a' is 1.0, not a whole number"));
  EXPECT_THAT(of_layer("{\"implementation\": 1, \"tactic\": 9223372036854775808}"),
              HasSubstr("'tactic' of layer 'a' is 9223372036854775808, not a whole number of "
                        "64 bits"));
  EXPECT_THAT(of_layer("{\"implementation\": 1, \"tactic\": \"2\"}"),
              HasSubstr("'tactic' of layer 'a' is \"2\", not a whole number"));
  EXPECT_THAT(of_layer("{\"implementation\": 1, \"tactic\": 2, \"inputs\": {}}"),
              HasSubstr("'inputs' of layer 'a' is an object, not an array"));
  EXPECT_THAT(of_layer("{\"polygraphy_class\": \"TensorInfo\"}"),
              HasSubstr("layer 'a' is of class 'TensorInfo', not of 'Algorithm'"));
  EXPECT_THAT(of_input("{}"), HasSubstr("input 0 of layer 'a' has no 'dtype'"));
  EXPECT_THAT(of_input("{\"dtype\": \"DataType.FLOTE\"}"),
              HasSubstr("'dtype' of input 0 of layer 'a' is 'DataType.FLOTE', which is not a data "
                        "type of TensorRT"));
  EXPECT_THAT(of_input("{\"dtype\": \"DataType.FLOAT\", \"strides\": [1, 2.5]}"),
              HasSubstr("'strides' of input 0 of layer 'a' is 2.5, not a whole number"));
  EXPECT_THAT(of_input("{\"dtype\": \"DataType.FLOAT\", \"strides\": [], "
                       "\"components_per_element\": -3}"),
              HasSubstr("'components_per_element' of input 0 of layer 'a' is -3, not at "
                        "least 1"));
}

TEST_F(Tactics, OfOldFilesAreTaken) {
  EXPECT_EQ(replayed_with("\"polygraphy_class\": \"TacticReplayData\"",
                          "\"__polygraphy_encoded_TacticReplayData\": \"polygraphy_class\"")
                .code,
            0);
}

// An error of every iteration is not a failure of one.
TEST_F(Tactics, ThatCannotBeReadEndDebugging) {
  folder_.write("damaged.json", "{");
  const std::string path = folder_.path() + "/";
  const auto expect_end = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--iter-artifact", path + "debug.engine", "--load-tactics",
                             "damaged.json", "--check", "true"});
    const Outcome seen = run(args);
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("damaged.json is not a tactic replay file"));
    EXPECT_THAT(seen.out, Not(HasSubstr("continuing to the next iteration")));
  };
  expect_end({"debug", "build", model(kSum), "--until", "2"});
  expect_end(
      {"debug", "precision", model(kSum), "--fp16", "--save-debug-replay", path + "replay.json"});
}

// Also where it holds the engine that is written.
TEST_F(Tactics, AreNoFolder) {
  ASSERT_EQ(convert("--save-tactics", "tactics.json").code, 0);
  for (const char* option : {"--load-tactics", "--load-timing-cache"}) {
    const Outcome seen = convert(option, ".");
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, AllOf(HasSubstr(std::string(option) + ": '.' is a folder"),
                                Not(HasSubstr("overwrite"))));
  }
}

TEST_F(Tactics, MayGoToADevice) {
  for (const char* option : {"--save-tactics", "--save-timing-cache"}) {
    const Outcome seen = convert(option, "/dev/null");
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_FALSE(std::filesystem::exists("/dev/null.lock"));
  }
}

TEST_F(Tactics, GoWhereALinkLeads) {
  const std::string link = folder_.path() + "/link";
  std::filesystem::create_symlink("behind.json", link);
  EXPECT_EQ(convert("--save-tactics", "link").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(folder_.read("behind.json").empty());
}

// /dev/full is written to, and has no room: known when the engine is built.
TEST_F(Tactics, ThatCannotBeSavedLoseNoEngine) {
  for (const char* option : {"--save-tactics", "--save-timing-cache"}) {
    const Outcome seen = convert(option, "/dev/full");
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, AllOf(HasSubstr("Could not write /dev/full: No space left on device"),
                                Not(HasSubstr("cannot build"))));
    EXPECT_EQ(run({"run", "m.engine", "--trt"}).code, 0) << option;
    std::filesystem::remove(folder_.path() + "/m.engine");
  }
  const Outcome both = run({"convert", model(kSum), "-o", "m.engine", "--save-tactics", "/dev/full",
                            "--save-timing-cache", "m.cache"});
  EXPECT_EQ(both.code, 1);
  EXPECT_FALSE(folder_.read("m.cache").empty());
  const Outcome ran = run(
      {"run", model(kSum), "--trt", "--save-engine", "r.engine", "--save-tactics", "/dev/full"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("Could not write /dev/full: No space left on device"),
                             Not(HasSubstr("cannot load"))));
  EXPECT_FALSE(folder_.read("r.engine").empty());
  const Outcome lost = run({"run", model(kSum), "--trt", "--save-engine", "/dev/full"});
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.err,
              AllOf(HasSubstr("cannot write '/dev/full'"), Not(HasSubstr("cannot load"))));
}

// By programs, which have no command line that looks first.
TEST_F(Tactics, AreTriedBeforeTheBuild) {
  const std::string file = folder_.path() + "/" + model(kSum);
  for (const char* option : {"save_tactics", "save_timing_cache"}) {
    for (const std::string& place : {folder_.path(), file + "/x", std::string("/proc/none/x")}) {
      Logger log;
      const EngineJob job{.runner = {.backend = "tensorrt",
                                     .library = double_of("10"),
                                     .session = {.options = {{option, {place}}}}},
                          .model = {.path = file},
                          .tools = {.paths = paths_of_tree(PG_TREE)}};
      EXPECT_THROW(build_engine(job, folder_.path() + "/m.engine", log), OptionError);
      EXPECT_THAT(recorded(), Not(HasSubstr("buildSerializedNetwork"))) << option << ' ' << place;
    }
  }
}

TEST_F(Tactics, OfSeveralRunnersAreWrittenByTheLast) {
  const Outcome seen = run({"run", model(kSum), "--trt", "--trt", "--save-tactics", "t.json",
                            "--save-timing-cache", "t.cache"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(
      seen.out,
      AllOf(
          HasSubstr(
              "Option: --save-tactics/--save-tactic-replay: each of 2 runners writes to 't.json'."),
          Not(HasSubstr("writes to 't.cache'"))));
  EXPECT_THAT(run({"run", model(kSum), "--trt", "--onnxrt", "--save-tactics", "t.json"}).out,
              Not(HasSubstr("runners writes")));
}

TEST_F(Tactics, OfLayersThatAreNotThereAreNamed) {
  EXPECT_EQ(convert("--save-tactics", "tactics.json").code, 0);
  std::string text = folder_.read("tactics.json");
  EXPECT_THAT(convert("--load-tactics", "tactics.json").out, Not(HasSubstr("The network")));
  text.replace(text.find("node_of_a"), 9, "conv");
  folder_.write("tactics.json", text);
  EXPECT_THAT(convert("--load-tactics", "tactics.json").out,
              AllOf(HasSubstr("The network lacks layers that are in "), HasSubstr(": 'conv'\n")));
  text.replace(text.find("node_of_y"), 9, "pool");
  folder_.write("tactics.json", text);
  const Outcome other = convert("--load-tactics", "tactics.json");
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.out, AllOf(HasSubstr("The network has no layer of "),
                               HasSubstr("belongs to another model: 'conv', 'pool'")));
}

TEST_F(Tactics, AreNotToBeChosenOnOtherFamilies) {
  const auto error = [&](const char* option, const char* set) {
    return run({"convert", model(kSum), "-o", "m.engine", option, "t.json"}, set).err;
  };
  EXPECT_THAT(error("--save-tactics", "rtx"),
              AllOf(HasSubstr("not available with TensorRT-RTX 1.7.1"),
                    HasSubstr("TensorRT-RTX chooses algorithms when the engine runs"),
                    Not(HasSubstr("TensorRT 11")), Not(HasSubstr("quantize"))));
  EXPECT_THAT(error("--save-tactics", "11"),
              AllOf(HasSubstr("TensorRT 11 removed tactic replays: use --save-timing-cache"),
                    Not(HasSubstr("quantize"))));
  EXPECT_THAT(error("--calibration-cache", "rtx"),
              HasSubstr("TensorRT-RTX takes types from the model: quantize the model first."));
  EXPECT_THAT(error("--calibration-cache", "11"),
              HasSubstr("Since TensorRT 11 types come from the model: quantize the model first."));
}

TEST_F(Tactics, OfOtherLayersLeaveTheBuilderItsChoice) {
  folder_.write("empty.json", "{\"replay\": {}, \"polygraphy_class\": \"TacticReplayData\"}");
  const Outcome seen = convert("--load-tactics", "empty.json");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("The builder chooses its algorithm."));
}

}  // namespace
}  // namespace polygraphy::cli
