// Models that come from pipes: `polygraphy run <(cat model.onnx)`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class PipesTest : public testing::Test {
 protected:
  // The model is written into the pipe once, to the first reader.
  Outcome with_model_in_pipe(std::vector<std::string> args) const {
    const std::string pipe = folder_.path() + "/pipe";
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << identity_model(); });
    const Outcome outcome = run_in_process(args, {.root = folder_.path()});
    writer.join();
    return outcome;
  }

  const TemporaryFolder folder_;
};

TEST_F(PipesTest, RunReadsThemOnce) {
  const Outcome outcome = with_model_in_pipe(
      {"run", "pipe", "--onnxrt", "--onnxrt", "--isolate", "--onnx-outputs", "mark", "all"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("All outputs matched | Outputs: ['y']"));
}

TEST_F(PipesTest, AnOutputThatExistsIsReplaced) {
  folder_.write("out.onnx", "old");
  const Outcome outcome = with_model_in_pipe({"surgeon", "sanitize", "pipe", "-o", "out.onnx"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST_F(PipesTest, ScriptsCannotReadThemAgain) {
  const Outcome outcome =
      with_model_in_pipe({"run", "pipe", "--onnxrt", "--gen-script", "script.py"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("A script cannot read the model from the pipe again"));
}

TEST_F(PipesTest, SoDoesLint) {
  const Outcome outcome = with_model_in_pipe({"check", "lint", "pipe"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

// Checks of a command come before those of its inputs, and its errors end its announcement.
TEST_F(PipesTest, OptionsOfACommandAreCheckedBeforeItsInputs) {
  const std::vector<std::string> ranges = {"--val-range", "x:[a,b]"};
  const auto with_ranges = [&](std::vector<std::string> args) {
    args.insert(args.end(), ranges.begin(), ranges.end());
    return with_model_in_pipe(args).err;
  };
  EXPECT_THAT(with_ranges({"debug", "reduce", "pipe", "--check-nan"}), HasSubstr("--output"));
}

// The model is read for the candidates, their inputs and its weights; it is a good one.
TEST_F(PipesTest, SoDoesReduce) {
  const Outcome outcome = with_model_in_pipe(
      {"debug", "reduce", "pipe", "-o", "reduced.onnx", "--mode", "auto", "--check-crash", "onnxrt",
       "--work-dir", "work", "--save-debug-replay", folder_.path() + "/replay.json"});
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("The check passes on the model itself"));
}

}  // namespace
}  // namespace polygraphy::cli
