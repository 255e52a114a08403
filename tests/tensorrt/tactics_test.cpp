// Tactics: recorded, replayed, and compared.
#include <cstdlib>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

class Tactics : public TensorRt {
 protected:
  Outcome convert(const char* option, const std::string& file) {
    return run({"convert", model(kSum), "-o", "m.engine", option, file});
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
  ASSERT_EQ(convert("--save-tactics", "tactics.json").code, 0);
  std::string text = folder_.read("tactics.json");
  const size_t at = text.find("\"tactic\": 1");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, "\"tactic\": 5");
  folder_.write("other.json", text);
  const Outcome seen = convert("--load-tactics", "other.json");
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("no algorithm (Implementation: 7, Tactic: 5)"),
                              HasSubstr("Record the tactics anew")));
  EXPECT_THAT(convert("--load-tactics", "model.onnx").err, HasSubstr("is no file of tactics"));
  folder_.write("list.json", "[]");
  EXPECT_THAT(convert("--load-tactics", "list.json").err,
              HasSubstr("it has no 'replay' of layers"));
  EXPECT_THAT(convert("--load-tactics", "none.json").err, HasSubstr("none.json"));
}

TEST_F(Tactics, OfOtherLayersLeaveTheBuilderItsChoice) {
  folder_.write("empty.json", "{\"replay\": {}, \"polygraphy_class\": \"TacticReplayData\"}");
  const Outcome seen = convert("--load-tactics", "empty.json");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("The builder chooses its algorithm."));
}

}  // namespace
}  // namespace polygraphy::cli
