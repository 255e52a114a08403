#include "cli/syntax/missing_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/syntax/command.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {

extern const Command command_run, command_debug_reduce;

namespace {

using testing::ElementsAre;

std::vector<std::string> separated(const std::vector<std::string>& args) {
  static const auto syntax = Syntax::of(command_run, backend_option_tables());
  return insert_missing_spaces(*syntax, args);
}

TEST(MissingSpace, AValueInBracketsNeedsNoBlank) {
  EXPECT_THAT(separated({"--val-range[0,1]", "x:[0,2]"}),
              ElementsAre("--val-range", "[0,1]", "x:[0,2]"));
  EXPECT_THAT(separated({"--input-shapes[1,3]"}), ElementsAre("--input-shapes", "[1,3]"));
}

TEST(MissingSpace, OptionsThatTheShellJoined) {
  EXPECT_THAT(separated({"--fail-fast--val-range[0,1]"}),
              ElementsAre("--fail-fast", "--val-range", "[0,1]"));
  EXPECT_THAT(separated({"--int8--data-loader-script", "s.py"}),
              ElementsAre("--int8", "--data-loader-script", "s.py"));
  EXPECT_THAT(separated({"--validate--fail-fast--atol=1"}),
              ElementsAre("--validate", "--fail-fast", "--atol=1"));
  EXPECT_THAT(separated({"--trt-outputs", "mark", "all--onnx-outputs", "mark", "all"}),
              ElementsAre("--trt-outputs", "mark", "all", "--onnx-outputs", "mark", "all"));
}

TEST(MissingSpace, WhatMeansSomethingStaysAsItIs) {
  for (const std::string word :
       {"--atol=1--rtol", "--load-inputs=a[0].json", "all--onnx-outputs", "m--onnxrt",
        "--no-such[1]", "--fail-fast--nosuch", "--fail", "-v", "--"}) {
    EXPECT_THAT(separated({word}), ElementsAre(word));
  }
  EXPECT_THAT(separated({"--", "--val-range[0,1]"}), ElementsAre("--", "--val-range[0,1]"));
}

// The words of a command are the command's, and the tool's own options are its own again after one
// word of shell syntax.
TEST(MissingSpace, ACheckCommandStaysAsItIs) {
  static const auto syntax = Syntax::of(command_debug_reduce, backend_option_tables());
  const std::vector<std::string> command = {"m.onnx",     "--mode", "linear", "--check",
                                            "polygraphy", "run",    "m.onnx", "--val-range[0,1]"};
  EXPECT_EQ(insert_missing_spaces(*syntax, command), command);
  EXPECT_THAT(insert_missing_spaces(
                  *syntax, std::vector<std::string>{"--check", "a --val-range[0,1] | b",
                                                    "--val-range[0,1]", "--no-reduce-inputs"}),
              ElementsAre("--check", "a --val-range[0,1] | b", "--val-range", "[0,1]",
                          "--no-reduce-inputs"));
  EXPECT_THAT(
      insert_missing_spaces(*syntax, std::vector<std::string>{"--check", "--val-range[0,1]"}),
      ElementsAre("--check", "--val-range[0,1]"));
}

}  // namespace
}  // namespace polygraphy::cli
