// The whole output of the command line: goldens/*.txt hold command lines ("$ polygraphy ..."), each
// followed by its standard output, its standard error (lines that begin with "2> ") and its exit
// code if it is not 0. Rewritten by update_goldens.sh, which runs this test with
// POLYGRAPHY_UPDATE_GOLDENS set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

constexpr std::string_view kPrompt = "$ polygraphy";

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Words at blanks; 'single quotes' hold one word together.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (!open) words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string replace(std::string text, const std::string& what, const std::string& with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string answer(std::string_view command_line, const std::string& folder) {
  const Outcome outcome = run_in_process(words_of(command_line), {.root = folder});
  std::string text = outcome.out;
  for (const auto line : split(outcome.err, '\n')) {
    if (!line.empty()) text += "2> " + std::string(line) + "\n";
  }
  if (outcome.code != 0) text += "[exit " + std::to_string(outcome.code) + "]\n";
  return replace(replace(without_dates(text), folder, "<folder>"), PG_BINARY_DIR, "<build>");
}

// The command whose answer changed, and the first line that did.
std::string first_difference(const std::string& actual, const std::string& expected) {
  const auto ours = split(actual, '\n'), written = split(expected, '\n');
  std::string_view command;
  for (size_t i = 0; i < std::max(ours.size(), written.size()); ++i) {
    const std::string_view now = i < ours.size() ? ours[i] : "(nothing)";
    const std::string_view then = i < written.size() ? written[i] : "(nothing)";
    if (now.starts_with(kPrompt)) command = now;
    if (now == then) continue;
    return std::string(command) + "\nline " + std::to_string(i + 1) +
           "\n  now:     " + std::string(now) + "\n  written: " + std::string(then) + "\n";
  }
  return {};
}

std::vector<std::filesystem::path> goldens() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(PG_SOURCE_DIR "/tests/cli/goldens")) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class GoldenTest : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenTest, PrintsWhatIsWritten) {
  const std::string expected = read(GetParam());
  const TemporaryFolder folder;
  folder.write("identity.onnx", identity_model());
  folder.write("not_a_model.onnx", "this is text");
  folder.write("broken.json", "{\"x\": ");
  std::string actual;
  for (const auto line : split(expected, '\n')) {
    if (line.starts_with("#")) actual += std::string(line) + "\n";
    if (!line.starts_with(kPrompt)) continue;
    if (!actual.empty() && !actual.ends_with("\n\n")) actual += "\n";
    actual += std::string(line) + "\n" + answer(line.substr(kPrompt.size()), folder.path());
  }
  if (std::getenv("POLYGRAPHY_UPDATE_GOLDENS")) {
    std::ofstream(GetParam()) << actual;
  } else {
    EXPECT_TRUE(actual == expected) << first_difference(actual, expected)
                                    << "if the new text is right: tests/cli/update_goldens.sh";
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, GoldenTest, ::testing::ValuesIn(goldens()),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace polygraphy::cli
