// Runs every example of PG_EXAMPLES in a separate folder, with the model that the first one writes.
// Its output equals testdata/. With POLYGRAPHY_UPDATE_GOLDENS set, writes testdata/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kExamples = PG_SOURCE_DIR "/examples/" PG_EXAMPLES "/";

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".cpp" && !name.ends_with("_test")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

int run(const TemporaryFolder& folder, const std::string& name, std::string& text) {
  const std::string output = folder / "output.txt";
  const int status = std::system(
      ("cd '" + folder.path() + "' && " PG_PROGRAMS "/" + name + " > '" + output + "' 2>&1")
          .c_str());
  text = contents_of(output);
  fs::remove(output);
  return status;
}

class ApiExample : public testing::TestWithParam<std::string> {};

TEST_P(ApiExample, PrintsWhatItShould) {
  const TemporaryFolder folder;
  std::string text;
  ASSERT_EQ(run(folder, "01_build_and_run", text), 0) << text;
  ASSERT_EQ(run(folder, GetParam(), text), 0) << text;
  for (const std::string& name : folder.names()) text += "=== " + name + "\n";
  const std::string golden = kExamples + "testdata/" + GetParam() + ".txt";
  if (std::getenv("POLYGRAPHY_UPDATE_GOLDENS")) put(golden, text);
  EXPECT_EQ(text, contents_of(golden));
}

TEST_P(ApiExample, IsShortAndListed) {
  const std::string source = contents_of(kExamples + GetParam() + ".cpp");
  EXPECT_LT(std::count(source.begin(), source.end(), '\n'), 60);
  EXPECT_THAT(contents_of(PG_SOURCE_DIR "/examples/README.md"),
              HasSubstr(PG_EXAMPLES "/" + GetParam() + ".cpp"));
}

INSTANTIATE_TEST_SUITE_P(All, ApiExample, testing::ValuesIn(examples()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace polygraphy
