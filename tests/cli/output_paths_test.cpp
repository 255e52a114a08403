// Mistyped output paths: a command never overwrites its inputs, and reports an unwritable path
// before the work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OutputPathsTest : public testing::Test {
 protected:
  OutputPathsTest() {
    folder_.write("m.onnx", identity_model());
    std::filesystem::create_symlink("m.onnx", path("link.onnx"));
    std::filesystem::create_hard_link(path("m.onnx"), path("other.onnx"));
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  Outcome run(const std::vector<std::string>& args) const {
    return run_in_process(args, {.root = folder_.path()});
  }
  // Refused before anything ran, and the model is what it was.
  void expect_refused(const std::vector<std::string>& args, const std::string& message,
                      int code = 1) {
    const Outcome outcome = run(args);
    const std::string command = testing::PrintToString(args);
    EXPECT_EQ(outcome.code, code) << command;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << command;
    EXPECT_THAT(outcome.out, IsEmpty()) << command;
    EXPECT_EQ(folder_.read("m.onnx"), identity_model()) << command;
  }

  TemporaryFolder folder_;
};

TEST_F(OutputPathsTest, NoOptionWritesOverTheModel) {
  const std::vector<std::vector<std::string>> commands = {
      {"run", "m.onnx", "--onnxrt", "--save-outputs"},
      {"run", "m.onnx", "--onnxrt", "--save-inputs"},
      {"run", "m.onnx", "--onnxrt", "--save-accuracy-results"},
      {"run", "m.onnx", "--onnxrt", "--gen-script"},
      {"run", "m.onnx", "--onnxrt", "--log-file"},
      {"run", "m.onnx", "--onnxrt", "--benchmark", "--save-benchmark"},
      {"run", "m.onnx", "--onnxrt", "--benchmark", "--save-benchmark-plot"},
      {"check", "lint", "m.onnx", "-o"},
      {"check", "lint", "m.onnx", "--sarif"},
      {"inspect", "model", "m.onnx", "--log-file"},
      {"surgeon", "sanitize", "m.onnx", "-o", "new.onnx", "--log-file"},
      {"template", "onnx-gs", "m.onnx", "-o"},
      {"debug", "reduce", "m.onnx", "--check-crash", "--min-good"},
      {"debug", "reduce", "m.onnx", "--check-crash", "-o", "r.onnx", "--journal"},
      {"debug", "reduce", "m.onnx", "--check-crash", "-o", "r.onnx", "--save-debug-replay"},
      {"debug", "reduce", "m.onnx", "--check-crash", "-o", "r.onnx", "--iter-info"},
      {"debug", "reduce", "m.onnx", "--check-crash", "-o", "r.onnx", "--artifacts"},
  };
  for (std::vector<std::string> command : commands) {
    const std::string option = command.back();
    command.push_back("m.onnx");
    expect_refused(command, "[!] " + option + " would overwrite 'm.onnx': this command reads it");
  }
}

TEST_F(OutputPathsTest, AnEmptyPathIsNoPath) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"run", "m.onnx", "--onnxrt", "--save-outputs"},
           {"run", "m.onnx", "--onnxrt", "--save-input-blob"},
           {"run", "m.onnx", "--onnxrt", "--gen-script"},
           {"surgeon", "sanitize", "m.onnx", "-o"},
           {"data", "merge", "in.json", "-o"},
           {"inspect", "model", "m.onnx", "--log-file"},
       }) {
    std::vector<std::string> args = command;
    args.emplace_back();
    expect_refused(args, "[!] " + command.back() + ": the path is empty");
  }
  EXPECT_EQ(run({"debug", "reduce", "m.onnx", "-o", "r.onnx", "--reproduction", "",
                 "--save-debug-replay", "", "--check", "false"})
                .code,
            0);
  EXPECT_FALSE(std::filesystem::exists(path("polygraphy_debug_replay.json")));
}

TEST_F(OutputPathsTest, DiffCannotWriteOverEitherModel) {
  folder_.write("b.onnx", identity_model());
  expect_refused({"surgeon", "diff", "m.onnx", "b.onnx", "-o", "m.onnx"},
                 "-o would overwrite 'm.onnx': this command reads it", 3);
  expect_refused({"surgeon", "diff", "m.onnx", "b.onnx", "-o", "b.onnx"},
                 "-o would overwrite 'b.onnx': this command reads it", 3);
}

TEST_F(OutputPathsTest, LinksAndOtherSpellingsAreTheSameFile) {
  std::filesystem::create_directory(path("below"));
  for (const std::string name : {"link.onnx", "other.onnx", "./m.onnx", "below/../m.onnx"}) {
    expect_refused(
        {"run", "m.onnx", "--onnxrt", "--save-outputs", name},
        "--save-outputs would overwrite '" + name + "', which is 'm.onnx': this command reads it");
  }
  expect_refused({"run", "link.onnx", "--onnxrt", "--save-outputs", "other.onnx"},
                 "which is 'link.onnx'");
}

TEST_F(OutputPathsTest, InputsResultsAndScriptsStay) {
  for (const std::string name : {"in.json", "out.json", "load.py", "program.sh", "names.txt"}) {
    folder_.write(name, "mine");
  }
  std::filesystem::create_directory(path("folder"));
  folder_.write("folder/0.json", "mine");
  const std::vector<std::string> run_it = {"run", "m.onnx", "--onnxrt", "--save-accuracy-results"};
  const auto with = [&](std::vector<std::string> rest) {
    rest.insert(rest.begin(), run_it.begin(), run_it.end());
    return rest;
  };
  expect_refused(with({"in.json", "--load-inputs", "in.json"}),
                 "would overwrite 'in.json': --load-inputs reads it");
  expect_refused(with({"out.json", "--load-outputs", "out.json"}),
                 "would overwrite 'out.json': --load-outputs reads it");
  expect_refused(with({"load.py", "--data-loader-script", "load.py:feeds"}),
                 "would overwrite 'load.py', which is 'load.py:feeds'");
  expect_refused(with({"program.sh", "--model-runner", "program.sh"}),
                 "would overwrite 'program.sh': --model-runner reads it");
  expect_refused(with({"folder/0.json", "--load-inputs", "folder"}),
                 "would overwrite 'folder/0.json'");
  expect_refused(
      {"surgeon", "weight-strip", "m.onnx", "--exclude-list", "names.txt", "-o", "names.txt"},
      "would overwrite 'names.txt': --exclude-list reads it");
  expect_refused({"debug", "reduce", "m.onnx", "-o", "program.sh", "--check", "./program.sh"},
                 "would overwrite 'program.sh', which is './program.sh': --check reads it");
}

TEST_F(OutputPathsTest, WhatOutputDirWritesCounts) {
  std::filesystem::rename(path("m.onnx"), path("report.json"));
  const Outcome outcome =
      run({"run", "report.json", "--model-type", "onnx", "--onnxrt", "--output-dir", "."});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--output-dir would overwrite './report.json'"));
  EXPECT_EQ(folder_.read("report.json"), identity_model());
}

// y = x + w, and w in the file w.data.
std::string model_with_external_data() {
  const auto field = [](int number, const std::string& bytes) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
  };
  const std::string location = field(1, "location") + field(2, "w.data");
  const std::string tensor = std::string("\x08\x02\x10\x01", 4) + field(8, "w") +
                             field(13, location) + std::string("\x70\x01", 2);
  const std::string dims = field(1, std::string("\x08\x02", 2));
  const std::string type = field(1, std::string("\x08\x01", 2) + field(2, dims));
  const std::string graph =
      field(1, field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Add")) + field(2, "g") +
      field(5, tensor) + field(11, field(1, "x") + field(2, type)) +
      field(12, field(1, "y") + field(2, type));
  return std::string("\x08\x08", 2) + field(7, graph) + field(8, std::string("\x10\x0d", 2));
}

class DataPathsTest : public OutputPathsTest {
 protected:
  DataPathsTest() {
    folder_.write("m.onnx", model_with_external_data());
    folder_.write("w.data", kData);
  }
  void expect_data_kept(const std::vector<std::string>& args) {
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.code, 1) << testing::PrintToString(args);
    EXPECT_THAT(outcome.err, HasSubstr("the model 'm.onnx'"));
    EXPECT_EQ(folder_.read("w.data"), kData);
    EXPECT_EQ(folder_.read("m.onnx"), model_with_external_data());
  }

  const std::string kData = std::string("\0\0\x80\x3f\0\0\0\x40", 8);
};

TEST_F(DataPathsTest, ItsDataFilesStay) {
  expect_data_kept({"run", "m.onnx", "--onnxrt", "--save-outputs", "w.data"});
  expect_data_kept({"surgeon", "sanitize", "m.onnx", "-o", "w.data"});
  expect_data_kept(
      {"surgeon", "sanitize", "m.onnx", "-o", "new.onnx", "--save-external-data", "w.data"});
}

TEST_F(DataPathsTest, AModelIsSavedOverItselfWithItsData) {
  const Outcome outcome =
      run({"surgeon", "sanitize", "m.onnx", "-o", "m.onnx", "--save-external-data", "w.data",
           "--external-data-size-threshold", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder_.read("w.data"), kData);
}

TEST_F(OutputPathsTest, AModelIsSavedOverItself) {
  EXPECT_EQ(run({"surgeon", "sanitize", "m.onnx", "-o", "m.onnx"}).code, 0);
  EXPECT_EQ(run({"surgeon", "sanitize", "m.onnx", "-o", "link.onnx"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.onnx")));
}

// As in the original: `data concat all.json new.json -o all.json` appends.
TEST_F(OutputPathsTest, SavedDataIsCombinedIntoOneOfItsFiles) {
  folder_.write("a.json", "[]");
  EXPECT_THAT(run({"data", "concat", "a.json", "a.json", "-o", "a.json"}).err,
              Not(HasSubstr("would overwrite")));
}

TEST_F(OutputPathsTest, TwoOutputsAreTwoFiles) {
  expect_refused(
      {"run", "m.onnx", "--onnxrt", "--save-inputs", "a.json", "--save-outputs", "./a.json"},
      "--save-inputs and --save-outputs would both write './a.json'");
  expect_refused({"check", "lint", "m.onnx", "-o", "a.json", "--sarif", "a.json"},
                 "-o and --sarif would both write 'a.json'");
  EXPECT_EQ(run({"check", "lint", "m.onnx", "-o", "/dev/null", "--sarif", "/dev/null"}).code, 0);
}

TEST_F(OutputPathsTest, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  folder_.write("file", "");
  expect_refused({"debug", "reduce", "m.onnx", "--check-crash", "-o", "file/r.onnx"},
                 "file/r.onnx': cannot create a folder in");
  expect_refused({"debug", "reduce", "m.onnx", "--check-crash", "-o", "."}, ": Is a directory");
  expect_refused({"surgeon", "sanitize", "m.onnx", "-o", "/proc/new.onnx"},
                 "cannot write '/proc/new.onnx'");
  if (::geteuid() != 0) {
    std::filesystem::create_directory(path("closed"));
    ::chmod(path("closed").c_str(), 0555);
    expect_refused({"debug", "reduce", "m.onnx", "--check-crash", "-o", "closed/r.onnx"},
                   "Permission denied");
  }
}

TEST_F(OutputPathsTest, ADashIsStandardOutputAndNothingElseIsWrittenThere) {
  testing::internal::CaptureStdout();
  const Outcome outcome = run({"surgeon", "sanitize", "m.onnx", "-o", "-"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), identity_model());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("[I] Saving ONNX model to: -"));
  EXPECT_FALSE(std::filesystem::exists(path("-")));
}

TEST_F(OutputPathsTest, AFolderIsNoModel) {
  std::filesystem::create_directory(path("folder"));
  folder_.write("folder/b.onnx", identity_model());
  expect_refused({"inspect", "model", "folder"},
                 "' is a folder, not a model\n    It contains the model " + path("folder/b.onnx"));
}

TEST_F(OutputPathsTest, WhatAScriptWillWriteIsNotTriedNow) {
  const Outcome outcome = run({"run", "m.onnx", "--onnxrt", "--gen-script", "s.py",
                               "--save-outputs", "/proc/elsewhere/out.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(folder_.read("s.py"), HasSubstr("/proc/elsewhere/out.json"));
}

}  // namespace
}  // namespace polygraphy::cli
