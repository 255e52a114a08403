#include "cli/jobs/sandbox.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

class SandboxTest : public testing::Test {
 protected:
  // Of "run model.onnx --onnxrt", with the test's folder as the current one.
  std::optional<Confinement> limits(const std::string& line) {
    std::vector<std::string> words;
    for (const auto word : split(line, ' ')) words.emplace_back(word);
    const Command* command = nullptr;
    for (const Command* one : commands()) {
      const std::string path(one->path);
      if (one->run && line.starts_with(path + " ")) command = one;
    }
    words.erase(words.begin(), words.begin() + 1 + std::ranges::count(command->path, ' '));
    const auto syntax = syntax_of(*command, backend_option_tables());
    const ParsedArgs args = parse_args(*syntax, words);
    EXPECT_TRUE(args.unrecognized().empty()) << line;
    const ParsedArgs* const levels[] = {&args};
    return confinement_of(levels, *command, env_, backend_option_tables());
  }
  bool starts_python(const std::string& line) {
    const auto result = limits(line);
    return result && std::ranges::count(result->execute, "/") > 0;
  }
  bool writes(const std::string& line, const std::string& folder) {
    const auto result = limits(line);
    return result && std::ranges::count(result->write, folder) > 0;
  }

  TemporaryFolder folder_;
  TextStream out_, err_;
  Environment env_{.out = out_,
                   .err = err_,
                   .variables = nullptr,
                   .executable = "/usr/bin/polygraphy",
                   .root = folder_.path()};
};

TEST_F(SandboxTest, ProgramsOfTheUserRunOutside) {
  for (const char* line : {"run m.onnx --onnxrt --no-sandbox", "run --model-runner ./program",
                           "run m.onnx --onnxrt --data-loader-script data.py",
                           "run m.onnx --onnxrt --data-loader-script data.py:load_data",
                           "run m.onnx --onnxrt --onnxrt --on local:2",
                           "debug reduce m.onnx -o r.onnx --check ./check",
                           "inspect model m.onnx --visual", "job j.json"}) {
    EXPECT_FALSE(limits(line)) << line;
  }
  for (const char* line :
       {"run m.onnx --onnxrt", "run /home/me/.pyenv/m.onnx --onnxrt", "check lint m.onnx",
        "inspect model m.onnx --visual --save-visual page.html"}) {
    EXPECT_TRUE(limits(line)) << line;
  }
}

TEST_F(SandboxTest, AFunctionOfAScriptThatExistsIsAProgram) {
  const std::string line = "run m.onnx --onnxrt --openvino --metric score.py:percent";
  EXPECT_TRUE(limits(line));
  put(folder_ / "score.py", "");
  EXPECT_FALSE(limits(line));
}

TEST_F(SandboxTest, PythonStartsWhereItIsNeeded) {
  for (const char* line : {"run m.pt2 --torch", "run m.onnx --onnxrt --reference",
                           "run m.onnx --onnxrt --load-inputs inputs.json",
                           "run m.onnx --onnxrt --decode 4 --prompt hello", "backends -v"}) {
    EXPECT_TRUE(starts_python(line)) << line;
  }
  for (const char* line : {"run m.onnx --onnxrt", "run reference/torch.onnx --onnxrt",
                           "surgeon sanitize keras.onnx -o o.onnx --fold-constants"}) {
    EXPECT_FALSE(starts_python(line)) << line;
  }
}

TEST_F(SandboxTest, FoldersOfOutputsAreWritten) {
  EXPECT_TRUE(writes("run m.onnx --onnxrt --save-outputs o.json", folder_.path()));
  EXPECT_FALSE(writes("run m.onnx --onnxrt", folder_.path()));
  // It is made later.
  EXPECT_TRUE(writes("run m.onnx --onnxrt --save-outputs new/folder/o.json", folder_.path()));
  EXPECT_TRUE(writes("run m.onnx --openvino --openvino-properties CACHE_DIR=new", folder_.path()));
}

TEST_F(SandboxTest, OptionsWidenIt) {
  EXPECT_TRUE(writes("run m.onnx --onnxrt --allow-write /var", "/var"));
  for (const char* option : {"--allow-read", "--allow-write"}) {
    try {
      limits(std::string("run m.onnx --onnxrt ") + option + " /somewhere");
      FAIL() << option;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()), std::string(option) + ": '/somewhere' does not exist");
    }
  }
  EXPECT_FALSE(limits("run m.onnx --onnxrt")->network);
  EXPECT_TRUE(limits("run m.onnx --onnxrt --allow-net")->network);
}

}  // namespace
}  // namespace polygraphy::cli
