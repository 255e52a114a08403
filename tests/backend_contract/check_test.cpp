// `polygraphy backends --check`: the contract from the command line, with external back ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../cli/in_process.h"
#include "bench.h"
#include "polygraphy/runtimes/contract/exclusions.h"

namespace polygraphy::contract {
namespace {

using cli::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Outcome polygraphy(std::vector<std::string> args) {
  return cli::run_in_process(
      args, {.variables = {"POLYGRAPHY_BACKEND_DIR=" PG_BINARY_DIR "/lib/polygraphy/backends"}});
}

std::string plugin(const std::string& variant) {
  return PG_BINARY_DIR "/tests/plugins/" + variant + "/polygraphy_mine.so";
}

Outcome check(const std::string& variant, std::vector<std::string> options = {}) {
  options.insert(options.begin(),
                 {"backends", "--check", "mine", "--backend-path", plugin(variant)});
  return polygraphy(options);
}

TEST(ContractCheck, ABackEndThatTakesNoOnnxModelsIsCheckedForWhatApplies) {
  const Outcome outcome = check("mine");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("Plugin: " + plugin("mine") + " | Model types: scale, scale-binary"),
            HasSubstr("[I] plugin    | 12 case(s): 12 passed\n"),
            HasSubstr("mine does not support ONNX models: "), HasSubstr("case(s) do not apply"),
            HasSubstr("[I] PASSED | back end mine | Passed: 12 | Excluded: 0 | Failed: 0"),
            HasSubstr("[I] PASSED | Runtime: ")));
}

TEST(ContractCheck, AModelOfItsTypeIsRun) {
  const TemporaryFolder folder;
  const std::string model = write(folder, "m.scale", "2.5");
  const Outcome outcome = check("mine", {"--check-model", model});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[I] model     | 8 case(s): 8 passed\n"));
  EXPECT_THAT(check("mine", {"--check-model", folder / "none.scale"}).err,
              HasSubstr("[!] no model '"));
  EXPECT_THAT(check("mine", {"--check-model", model, "--model-type", "onnx"}).err,
              HasSubstr("[!] mine does not support models of type onnx\n    Supported: scale, "));
  const std::string text = write(folder, "text.scale", "two");
  EXPECT_THAT(check("mine", {"--check-model", text}).out,
              HasSubstr("[E] FAILED | model/inputs_and_outputs\n        it ends in an error: there "
                        "is no number in the model"));
}

TEST(ContractCheck, FailuresSayWhatWasSeenAndExpected) {
  const Outcome outcome = check("mine_prints");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err,
              AllOf(HasSubstr("[E] FAILED | plugin/nothing_on_stdout_and_stderr\n        standard "
                              "output and standard error: seen \"loading\n"),
                    HasSubstr("expected \"\""),
                    HasSubstr("[E] FAILED | back end mine | Passed: 11 | Excluded: 0 | Failed: 1"),
                    HasSubstr("[E] FAILED | Runtime: ")));
  EXPECT_THAT(
      check("mine_accepts_everything").out,
      HasSubstr("bytes that are not a model (model type scale): seen no error, expected an error"));
}

TEST(ContractCheck, ACrashIsAFailedCaseWithItsSignal) {
  const Outcome outcome = check("mine_crashes");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err,
              AllOf(HasSubstr("FAILED | plugin/bytes_that_are_no_model\n"), HasSubstr("SIGABRT"),
                    HasSubstr("its last words: about to fall over"),
                    HasSubstr("12 case(s): 6 passed, 6 failed")));
}

TEST(ContractCheck, ACaseThatHangsIsEndedAndLeavesNothing) {
  const TemporaryFolder temporary;
  const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  const Outcome outcome = check("mine_hangs", {"--timeout", "0.2"});
  check("mine_crashes");
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_THAT(temporary.names(), testing::IsEmpty()) << "what crashed left its files";
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("it exceeded 0.2 s, and was killed"));
}

TEST(ContractCheck, ExclusionsAreHonouredAndThoseThatPassAreTold) {
  const TemporaryFolder folder;
  const std::string file = write(folder, "known.txt",
                                 "# what it does not do\n"
                                 "plugin/nothing_* | wrong | it prints\n"
                                 "plugin/opens_again | wrong | it does\n"
                                 "types/of_the_future | wrong | there is none\n");
  const Outcome outcome = check("mine_prints", {"--exclusions", file});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(
      outcome.out + outcome.err,
      AllOf(HasSubstr("12 case(s): 11 passed, 1 excluded"),
            HasSubstr("[W] plugin/opens_again passes, but 'plugin/opens_again' (it does) excludes "
                      "it: remove the line from " +
                      file),
            HasSubstr("[W] no case matches 'types/of_the_future'"), Not(HasSubstr("FAILED"))));
  const std::string bad = write(folder, "bad.txt", "\nplugin/* | sometimes | who knows\n");
  EXPECT_THAT(
      check("mine", {"--exclusions", bad}).err,
      HasSubstr(bad + ", line 2: expected 'pattern | unsupported, wrong or varies | reason'"));
}

TEST(ContractCheck, BackEndsOfTheTreeHaveTheirExclusionsBesideThem) {
  const Outcome outcome = polygraphy({"backends", "--check", "onnxrt"});
  if (outcome.err.find("is not available") != std::string::npos) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("polygraphy_onnxrt.exclusions.txt"));
}

TEST(ContractCheck, WhatCannotBeChecked) {
  EXPECT_THAT(polygraphy({"backends", "--check", "nobody"}).err,
              HasSubstr("unknown back end 'nobody'"));
  EXPECT_THAT(polygraphy({"backends", "--timeout", "3"}).err,
              HasSubstr("--timeout has no effect without --check"));
  EXPECT_THAT(check("mine", {"--timeout", "-1"}).err, HasSubstr("positive number of seconds"));
}

TEST(Judging, FollowsWhatWasDeclared) {
  using Kind = Judgement::Kind;
  const Exclusion unsupported{"*", Deviation::kUnsupported, ""}, wrong{"*", Deviation::kWrong, ""},
      varies{"*", Deviation::kVaries, ""};
  const CaseResult passes, fails{.failures = {"x"}}, refuses{.refusal = "no"},
      crashes{.crash = "SIGSEGV"};
  EXPECT_EQ(judge(passes, nullptr).kind, Kind::kPassed);
  EXPECT_EQ(judge(passes, &wrong).kind, Kind::kStale);
  EXPECT_EQ(judge(fails, nullptr).kind, Kind::kFailed);
  EXPECT_EQ(judge(fails, &wrong).kind, Kind::kExcluded);
  EXPECT_EQ(judge(fails, &unsupported).kind, Kind::kFailed);
  EXPECT_EQ(judge(passes, &varies).kind, Kind::kPassed);
  EXPECT_EQ(judge(fails, &varies).kind, Kind::kExcluded);
  EXPECT_EQ(judge(refuses, &varies).kind, Kind::kFailed);
  EXPECT_EQ(judge(refuses, &unsupported).kind, Kind::kExcluded);
  EXPECT_EQ(judge(refuses, &wrong).kind, Kind::kFailed);
  EXPECT_EQ(judge(crashes, &wrong).kind, Kind::kFailed);
}

TEST(BackendPath, NamesFilesAndFolders) {
  const std::string folder = PG_BINARY_DIR "/tests/plugins/mine";
  for (const std::string& option : {"--backend-path=" + folder, "--backend-path=" + plugin("mine")})
    EXPECT_THAT(polygraphy({"run", option, "--help"}).out, HasSubstr("  --mine-shift NUMBER"));
  const TemporaryFolder models;
  const std::string model = write(models, "m.scale", "2.5");
  EXPECT_EQ(polygraphy({"run", model, "--mine", "--backend-path", folder}).code, 0);
  EXPECT_EQ(polygraphy({"run", model, "--mine", "--isolate", "--backend-path", folder}).code, 0);
  // Words after --check belong to another command.
  EXPECT_THAT(polygraphy({"debug", "reduce", "m.onnx", "--check", "polygraphy", "run",
                          "--backend-path", "/nowhere"})
                  .err,
              Not(HasSubstr("--backend-path")));
}

TEST(BackendPath, FilesMayHaveAnyName) {
  const TemporaryFolder folder;
  const std::string copy = folder / "of_mine.so";
  std::filesystem::copy_file(plugin("mine"), copy);
  EXPECT_THAT(polygraphy({"backends", "--backend-path", copy}).out, HasSubstr("mine | available"));
}

TEST(BackendPath, ThatIsWrongIsAnError) {
  const TemporaryFolder folder;
  const auto error = [](const std::string& path) {
    const Outcome outcome = polygraphy({"run", "m.scale", "--mine", "--backend-path", path});
    EXPECT_EQ(outcome.code, 1);
    return outcome.err;
  };
  EXPECT_THAT(error("/nowhere"),
              HasSubstr("[!] --backend-path /nowhere: there is no such file or folder"));
  EXPECT_THAT(error(folder.path()), HasSubstr("the folder has no plugin polygraphy_<name>.so"));
  EXPECT_THAT(error(write(folder, "x.txt", "no plugin")), HasSubstr("x.txt"));
  EXPECT_THAT(error(plugin("mine_of_another_version")),
              HasSubstr("built for another version of polygraphy's interface"));
}

}  // namespace
}  // namespace polygraphy::contract
