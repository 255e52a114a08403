// --model-runner: programs as runners, beside a runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "../cli/in_process.h"
#include "base/os/child_process.h"
#include "polygraphy/data/results/saved_outputs.h"
#include "polygraphy/runtimes/backend/program_runner.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class ModelRunnerTest : public testing::Test {
 protected:
  ModelRunnerTest() : model_(folder_.write("m.onnx", identity_model())) {}

  Outcome run(const std::string& name, const std::string& script,
              std::vector<std::string> options = {}) {
    const std::string path = folder_.write(name, script);
    ::chmod(path.c_str(), 0755);
    std::vector<std::string> args = {"run", model_, "--onnxrt", "--model-runner", path};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(args);
    outcome.out = without_dates(outcome.out);
    return outcome;
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(ModelRunnerTest, APythonScriptReadsStandardInputAndPrintsItsOutputs) {
  const Outcome outcome = run("reference.py",
                              "import json, sys\n"
                              "inputs = json.load(sys.stdin)\n"
                              "print('loading the model ...')\n"
                              "print(json.dumps({'y': inputs['x']}))\n"
                              "print('[done]')\n",
                              {"-v"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("reference-runner-N0-<date>"));
  EXPECT_THAT(outcome.out, HasSubstr("'y' (dtype=float32, shape=(2, 3)) with 'y' (dtype=float32, "
                                     "shape=(2, 3))"));
  EXPECT_THAT(outcome.out, HasSubstr("loading the model ..."));
}

TEST_F(ModelRunnerTest, OrItUsesFiles) {
  const Outcome outcome = run("reference",
                              "#!/bin/sh\n"
                              "[ \"$1\" = --input-file ] && [ \"$3\" = --output-file ] || exit 9\n"
                              "sed 's/\"x\"/\"y\"/' \"$2\" > \"$4\"\n"
                              "echo 'Read [1] file'\n");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST_F(ModelRunnerTest, SigtermLeavesNoTemporaryFolder) {
  const std::string temporary = folder_.path() + "/tmp", pipe = folder_.path() + "/pipe";
  std::filesystem::create_directory(temporary);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string program =
      folder_.write("waits.sh", "#!/bin/sh\necho begun > " + pipe + "\nsleep 1000\n");
  ::chmod(program.c_str(), 0755);
  ChildProcess child(
      {.argv = {PG_BINARY_DIR "/bin/polygraphy", "run", model_, "--model-runner", program},
       .environment = {{"TMPDIR", temporary}},
       .out = ChildStream::capture(),
       .err = ChildStream::capture()});
  std::string line;
  std::getline(std::ifstream(pipe) >> std::ws, line);  // the program runs
  EXPECT_EQ(line, "begun");
  EXPECT_FALSE(std::filesystem::is_empty(temporary));
  EXPECT_EQ(child.kill(60).code, 128 + SIGTERM);
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(ModelRunnerTest, OneThatPrintsWithoutEndIsKilled) {
  const Outcome outcome = run("endless", "#!/bin/sh\nyes\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("printed more than 256 MiB on standard output, and was killed"));
  EXPECT_THAT(outcome.out, HasSubstr("Write the outputs to --output-file instead."));
}

TEST_F(ModelRunnerTest, AWrongResultIsAMismatch) {
  const Outcome outcome = run("wrong.py", "print([[1, 2, 3], [4, 5, 6]])\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED | simple | Mismatched outputs: ['y']"));
}

TEST_F(ModelRunnerTest, OneThatFailsShowsItsErrorsUnderOneLine) {
  const Outcome outcome =
      run("broken.py", "print('so far so good')\nraise ValueError('no weights')\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("broken.py exited with 1\n    Traceback (most recent call last)"));
  EXPECT_THAT(outcome.out, HasSubstr("ValueError: no weights"));
}

TEST_F(ModelRunnerTest, OneThatPrintsNothingIsToldWhatItShouldDo) {
  const Outcome outcome = run("silent.py", "");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("returned no outputs: it wrote neither to standard output nor"));
  EXPECT_THAT(run("words.py", "print('hello')").out, HasSubstr("contains no JSON document"));
}

TEST_F(ModelRunnerTest, OneThatHangsIsKilled) {
  const Outcome outcome = run("slow.py", "import time\ntime.sleep(100)\n", {"--timeout", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("slow.py exceeded 1 s, and was killed"));
}

TEST_F(ModelRunnerTest, OneThatIsNotThereIsAnErrorBeforeAnythingRuns) {
  const Outcome outcome =
      run_in_process({"run", model_, "--onnxrt", "--model-runner", "no/such.py"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--model-runner: there is no file 'no/such.py'"));
}

TEST_F(ModelRunnerTest, OneThatCannotBeStartedLeavesTheOthersTheirResults) {
  const std::string path = folder_.write("forbidden", "#!/bin/sh\n");
  ::chmod(path.c_str(), 0644);
  Outcome outcome =
      run_in_process({"run", model_, "--onnxrt", "--model-runner", path, "--iterations", "2",
                      "--save-outputs", folder_.path() + "/o.json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("Failed in iteration 0: cannot start"));
  EXPECT_THAT(outcome.out, HasSubstr("make it executable: chmod +x"));
  Logger quiet;
  const RunResults results = load_results(folder_.path() + "/o.json", quiet);
  EXPECT_EQ(results.runners.front().second.size(), 2U);
}

TEST(OutputsInTextTest, TakesTheLastDocumentAmongOtherText) {
  std::string other;
  const ArrayMap outputs = outputs_in_text(
      "[1] warming up\n[2]\n{\"old\": [1]}\nstep {\"not\": 1} here\n  {\"y\": [[1.5, 2]],\n \"n\": "
      "3}\nbye\n",
      "it", "y", other);
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs.find("y")->shape(), (Shape{1, 2}));
  EXPECT_EQ(outputs.find("n")->get_double(0), 3);
  EXPECT_THAT(other, HasSubstr("step {"));
  EXPECT_THAT(other, HasSubstr("bye"));
}

TEST(OutputsInTextTest, ABareListIsTheOnlyOutput) {
  std::string other;
  EXPECT_TRUE(outputs_in_text("[1, 2]", "it", "y", other).contains("y"));
  EXPECT_THROW(outputs_in_text("[1, 2]", "it", "", other), Error);
}

}  // namespace
}  // namespace polygraphy::cli
