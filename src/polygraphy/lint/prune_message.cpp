#include "polygraphy/lint/prune_message.h"

#include <re2/re2.h>

#include <vector>

namespace polygraphy {
namespace {

void remove_all(std::string& text, std::string_view what) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.erase(at, what.size());
  }
}

// "[ONNXRuntimeError] : 1 : FAIL : message"; colons with spaces around them inside of the message
// go as well.
void prune_status(std::string& text) {
  constexpr std::string_view kPrefix = "[ONNXRuntimeError] : ", kColon = " : ";
  if (!text.starts_with(kPrefix) || text.find('\n') < kPrefix.size()) return;
  std::vector<std::string_view> parts;
  const std::string_view whole = text;
  size_t begin = 0;
  for (size_t at; (at = whole.find(kColon, begin)) != std::string_view::npos;
       begin = at + kColon.size()) {
    parts.push_back(whole.substr(begin, at - begin));
  }
  parts.push_back(whole.substr(begin));
  if (parts.size() < 4) {
    text.erase(0, kPrefix.size());
    return;
  }
  std::string message;
  for (size_t i = 3; i < parts.size(); ++i) message += parts[i];
  for (char& c : message) {
    if (c == '"') c = '`';
  }
  for (const std::string_view phrase :
       {"This is an invalid model. ", "Error: ", "Failed to load model with error: ",
        "Exception caught: ", "Exception during loading: ", "\n"}) {
    remove_all(message, phrase);
  }
  text = message;
}

struct Pattern {
  explicit Pattern(const char* text, const char* by = "")
      : whole(text, RE2::Latin1), replacement(by) {}
  RE2 whole;
  const char* replacement;
};

}  // namespace

std::string prune_message(std::string_view message) {
  static const auto& patterns = *new std::vector<const Pattern*>{
      new Pattern(R"(\x1b(?:\[(?:\d+;){0,2}\d+m)(.*)\x1b\[m)", "\\1"),
      new Pattern(R"(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ \[.*?\] )"),
      new Pattern(R"(Node \(.*\) Op \(.*\) \[ShapeInferenceError\])"),
      new Pattern(R"(.*/.*\.cc:\d+ onnxruntime::.*\(.*\))"),
      new Pattern(R"(In Node, .*, Error )"),
      new Pattern(R"(.*Status Message: )"),
  };
  std::string text(message);
  prune_status(text);
  for (const Pattern* pattern : patterns) {
    const bool at_start = pattern->whole.Match(text, 0, text.size(), RE2::ANCHOR_START, nullptr, 0);
    if (at_start) RE2::GlobalReplace(&text, pattern->whole, pattern->replacement);
  }
  remove_all(text, "\n");
  return text;
}

}  // namespace polygraphy
