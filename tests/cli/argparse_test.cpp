// The parser against Python's argparse, on random command lines (make_argparse_cases.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/syntax/command.h"
#include "cli/syntax/parser.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

std::unique_ptr<Syntax> parser_of(std::string_view path) {
  for (const Command* command : commands()) {
    if (command->path == path) return syntax_of(*command, backend_option_tables());
  }
  return nullptr;
}

// The order of several options does not matter; only we print the suggestion.
constexpr std::string_view kFormatsOfTheOriginal =
    "frozen keras ckpt onnx engine uff trt-network-script caffe";

std::string normalised(std::string message) {
  message = message.substr(0, message.find(". Did you mean"));
  for (const pgb_backend_options* backend : backend_option_tables()) {
    for (size_t i = 0; i < backend->format_count; ++i) {
      const std::string_view format = backend->formats[i].name;
      const std::string choice = ", '" + std::string(format) + "'";
      if (kFormatsOfTheOriginal.find(format) != std::string_view::npos) continue;
      if (const size_t at = message.find(choice); at != std::string::npos)
        message.erase(at, choice.size());
    }
  }
  for (const Metric* metric : metrics()) {
    const std::string choice = ", '" + std::string(metric->name) + "'";
    const size_t at = message.find(choice);
    if (metric->python_class.empty() && at != std::string::npos) message.erase(at, choice.size());
  }
  const std::string marker = " could match ";
  const size_t at = message.find(marker);
  if (at == std::string::npos) return message;
  std::vector<std::string> names;
  for (const auto name : split(std::string_view(message).substr(at + marker.size()), ',')) {
    names.push_back(std::string(strip(name)));
  }
  std::sort(names.begin(), names.end());
  return message.substr(0, at + marker.size()) + join(std::span<const std::string>(names), ", ");
}

std::string outcome(const Syntax& syntax, const std::vector<std::string>& args) {
  try {
    const ParsedArgs parsed = parse_args(syntax, args);
    if (parsed.wants_help()) return "help";
    std::string text = "ok";
    std::string surplus;
    for (const auto& occurrence : parsed.occurrences()) {
      const std::string values = join(std::span<const std::string>(occurrence.values), ";");
      text += "|" + std::string(occurrence.entry->key()) + ":";
      // The model of a runner: the original refuses it.
      if (occurrence.entry->runner && !values.empty()) {
        surplus += "|?:" + values;
      } else {
        text += values;
      }
    }
    for (const auto& other : parsed.unrecognized()) surplus += "|?:" + other;
    return text + surplus;
  } catch (const UsageError& error) {
    return std::string("error|") + error.what();
  }
}

TEST(Argparse, UnderstandsCommandLinesAsPythonDoes) {
  std::ifstream file(PG_SOURCE_DIR "/tests/cli/argparse_cases.txt");
  std::string line, expected;
  int cases = 0;
  while (std::getline(file, line) && std::getline(file, expected)) {
    const auto words = split(line, '|');
    const auto syntax = parser_of(words.front());
    ASSERT_TRUE(syntax) << words.front();
    // With us these need no value.
    if (expected.starts_with("error|argument --save-inputs/") ||
        expected.starts_with("error|argument --save-outputs/")) {
      continue;
    }
    const std::vector<std::string> args(words.begin() + 1, words.end());
    EXPECT_EQ(normalised(outcome(*syntax, args)), normalised(expected)) << line;
    ++cases;
  }
  EXPECT_GT(cases, 500);
}

}  // namespace
}  // namespace polygraphy::cli
