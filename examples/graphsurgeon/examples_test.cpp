// Runs every example in a separate folder. Its files equal testdata/, are valid, and run. With
// POLYGRAPHY_UPDATE_GOLDENS set, writes testdata/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {
namespace {

namespace fs = std::filesystem;
using polygraphy::contents_of;
using polygraphy::put;
using polygraphy::TemporaryFolder;
using testing::HasSubstr;

const std::string kExamples = PG_SOURCE_DIR "/examples/graphsurgeon/";

// ONNX Runtime has no such operator, or has it for other types only.
const std::set<std::string> kCannotRun = {
    "06_removing_nodes/model.onnx",
    "12_types_that_c_lacks/bfloat16.onnx",
};

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".cpp" && !name.ends_with("_test")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Outcome {
  int status;
  std::string text;
};

Outcome run(const TemporaryFolder& folder, const std::string& command) {
  const std::string text = folder / "output.txt";
  const int status =
      std::system(("cd '" + folder.path() + "' && " + command + " > '" + text + "' 2>&1").c_str());
  Outcome outcome{status, contents_of(text)};
  fs::remove(text);
  return outcome;
}

class ExampleTest : public testing::TestWithParam<std::string> {};

TEST_P(ExampleTest, WritesWhatItShould) {
  const TemporaryFolder folder;
  const Outcome outcome = run(folder, PG_BINARY_DIR "/examples/" + GetParam());
  ASSERT_EQ(outcome.status, 0) << outcome.text;
  ASSERT_FALSE(folder.names().empty());

  std::string written = outcome.text;
  for (const std::string& name : folder.names()) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(name.ends_with(".onnx"));
    const Model model = load_model(folder / name);
    EXPECT_NO_THROW(check_model(model));
    written += "\n=== " + name + "\n" + to_onnx_text(model) + "\n";
  }
  const std::string golden = kExamples + "testdata/" + GetParam() + ".txt";
  if (std::getenv("POLYGRAPHY_UPDATE_GOLDENS")) put(golden, written);
  EXPECT_EQ(written, contents_of(golden));

  for (const std::string& name : folder.names()) {
    if (kCannotRun.contains(GetParam() + "/" + name)) continue;
    const Outcome inference =
        run(folder, PG_BINARY_DIR "/bin/polygraphy run " + name + " --onnxrt");
    EXPECT_EQ(inference.status, 0) << inference.text;
    EXPECT_THAT(inference.text, HasSubstr("PASSED")) << name;
  }
}

TEST_P(ExampleTest, IsShortAndListed) {
  const std::string source = contents_of(kExamples + GetParam() + ".cpp");
  EXPECT_LT(std::count(source.begin(), source.end(), '\n'), 60);
  EXPECT_THAT(contents_of(PG_SOURCE_DIR "/examples/README.md"),
              HasSubstr("graphsurgeon/" + GetParam() + ".cpp"));
}

INSTANTIATE_TEST_SUITE_P(All, ExampleTest, testing::ValuesIn(examples()),
                         [](const auto& example) { return example.param; });

// The examples in the list of those that cannot run exist.
TEST(Examples, ExceptionsExist) {
  const std::vector<std::string> names = examples();
  EXPECT_GE(names.size(), 12u);
  for (const std::string& exception : kCannotRun) {
    EXPECT_THAT(names, testing::Contains(exception.substr(0, exception.find('/'))));
  }
}

}  // namespace
}  // namespace graphsurgeon
