#include "polygraphy/model_tools/lint/prune_message.h"

#include <utility>
#include <vector>

#include "base/regular_expression.h"

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

}  // namespace

std::string prune_message(std::string_view message) {
  // A pattern, and the replacement of each match.
  static const auto& parts = *new std::vector<std::pair<RegularExpression, std::string_view>>([] {
    std::vector<std::pair<RegularExpression, std::string_view>> all;
    all.emplace_back(R"(\x1b(?:\[(?:\d+;){0,2}\d+m)(.*)\x1b\[m)", "$1");
    for (const char* pattern : {R"(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ \[.*?\] )",
                                R"(Node \(.*\) Op \(.*\) \[ShapeInferenceError\])",
                                R"(.*/.*\.cc:\d+ onnxruntime::.*\(.*\))", R"(In Node, .*, Error )",
                                R"(.*Status Message: )"}) {
      all.emplace_back(pattern, "");
    }
    return all;
  }());
  std::string text(message);
  prune_status(text);
  for (const auto& [pattern, replacement] : parts) {
    if (pattern.begins(text)) text = pattern.replace_all(text, replacement);
  }
  remove_all(text, "\n");
  return text;
}

}  // namespace polygraphy
